import * as core from 'zod/v4/core'
import { deepFreeze } from '../cache/deep-freeze.ts'

/**
 * Compiles a schema of zod/mini with the just-in-time parser of zod: 5 times faster, with less garbage. zod/mini itself has none,
 * to be small in the browser. A frozen value, such as a cached fragment, is parsed once; the result is frozen and shared.
 * @returns parses a value: properties that the schema does not name are removed. It throws ZodError for an invalid value
 */
export function jitParser<S extends core.$ZodType>(schema: S): (value: unknown) => core.output<S> {
  const quick = rebuilt(schema)
  return value => core.parse(quick, value) as core.output<S>
}

function rebuilt(schema: core.$ZodType): core.$ZodType {
  const { def } = (schema as core.$ZodTypes)._zod
  switch (def.type) {
    case 'object': {
      const shape = Object.entries(def.shape).map(([name, field]) => [name, rebuilt(field)])
      return memoizeFrozen(new core.$ZodObjectJIT({ ...def, shape: Object.fromEntries(shape) }))
    }
    case 'array':
      return new core.$ZodArray({ ...def, element: rebuilt(def.element) })
    case 'nullable':
      return new core.$ZodNullable({ ...def, innerType: rebuilt(def.innerType) })
    case 'optional':
      return new core.$ZodOptional({ ...def, innerType: rebuilt(def.innerType) })
    default:
      return schema
  }
}

/** Makes a schema parse each frozen object once. */
function memoizeFrozen<S extends core.$ZodType>(schema: S): S {
  const { run } = schema._zod
  const taken = new WeakMap<object, unknown>()
  schema._zod.run = (payload, context) => {
    const given = payload.value as object
    const before = taken.get(given)
    if (before) return Object.assign(payload, { value: before })
    const done = run(payload, context)
    if (!(done instanceof Promise) && done.issues.length === 0 && Object.isFrozen(given))
      taken.set(given, deepFreeze(done.value))
    return done
  }
  return schema
}
