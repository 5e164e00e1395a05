declare module '@adobe/structured-data-validator/src/validator.js' {
  interface Issue {
    severity: 'ERROR' | 'WARNING'
    /** Set where it is schema.org's rules that are broken, and not a search engine's. */
    errorType?: 'schemaOrg'
    issueMessage: string
    path: { type?: string; property?: string; index?: number }[]
  }
  /** Knows what search engines ask of structured data, and with schema.org's terms what those are. */
  export class Validator {
    constructor(schemaOrg: { '@graph': object[] })
    /** Takes things by their type. */
    validate(found: { jsonld: Record<string, object[]> }): Promise<Issue[]>
  }
}
