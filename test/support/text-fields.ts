import type * as z from 'zod/mini'
import { textRules } from '#contract'

/** Text fields that take one of a few values only. */
const CHOICES = ['category']

/** The text rule of a field, also where it may be left out; undefined where the field is no text. */
function ruleOf(field: z.core.$ZodType) {
  const { def } = field._zod
  return textRules.get('innerType' in def ? (def.innerType as z.core.$ZodType) : field)
}

/** The fields of a body that take any text, by name: label and greatest length, code points. Read from the contract. */
export const textFieldsOf = (body: z.ZodMiniObject): Record<string, { label: string; max: number }> =>
  Object.fromEntries(
    Object.entries(body.shape).flatMap(([name, field]) => {
      const rule = ruleOf(field)
      return rule && !CHOICES.includes(name) ? [[name, rule]] : []
    }),
  )

/** A text for each of those fields. @param textOf is given its name and greatest length */
export const filled = (
  body: z.ZodMiniObject,
  textOf: (field: string, max: number) => string,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(textFieldsOf(body)).map(([field, { max }]) => [field, textOf(field, max)]),
  )
