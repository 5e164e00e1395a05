import * as core from 'zod/v4/core'

/**
 * Compiles a schema of zod/mini with the just-in-time parser of zod: 5 times faster, with less garbage. zod/mini itself has none,
 * to be small in the browser.
 * @returns parses a value: properties that the schema does not name are removed. It throws ZodError for an invalid value
 */
export function jitParser<S extends core.$ZodType>(schema: S): (value: unknown) => core.output<S> {
  const compiled = rebuilt(schema)
  return value => core.parse(compiled, value) as core.output<S>
}

function rebuilt(schema: core.$ZodType): core.$ZodType {
  const { def } = (schema as core.$ZodTypes)._zod
  switch (def.type) {
    case 'object': {
      const shape = Object.entries(def.shape).map(([name, field]) => [name, rebuilt(field)])
      return new core.$ZodObjectJIT({ ...def, shape: Object.fromEntries(shape) })
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
