import { Validator } from '@adobe/structured-data-validator/src/validator.js'
import { vocabulary } from './schema-org.ts'

/** An item of structured data. */
export interface Item {
  '@context': string
  '@type': string
  // biome-ignore lint/suspicious/noExplicitAny: what search engines read is JSON of any shape
  [property: string]: any
}

const validator = new Validator(vocabulary())
const IN_SCHEMA = 'https://schema.org/'
const terms = new Set(vocabulary()['@graph'].map(term => term['@id'].replace('schema:', IN_SCHEMA)))

/** schema.org URLs in a value, such as those of availability. */
function termsIn(value: unknown): string[] {
  if (typeof value === 'string') return value.startsWith(IN_SCHEMA) ? [value] : []
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(termsIn) : []
}

/** Violations of the rules of schema.org and of Google, without recommendations. */
export async function faultsOf(items: Item[]): Promise<string[]> {
  const jsonld: Record<string, Item[]> = {}
  for (const item of structuredClone(items)) jsonld[item['@type']] = [item]
  const issues = await validator.validate({ jsonld })
  return [
    ...issues
      .filter(({ severity, errorType }) => severity === 'ERROR' || errorType === 'schemaOrg')
      .map(({ issueMessage, path }) => `${JSON.stringify(path)}: ${issueMessage}`),
    ...termsIn(items)
      .filter(term => !terms.has(term))
      .map(term => `${term} is no term of schema.org`),
  ]
}
