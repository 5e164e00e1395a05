declare module '@adobe/structured-data-validator/src/validator.js' {
  interface Issue {
    severity: 'ERROR' | 'WARNING'
    /** Set for violations of schema.org's rules, not of a search engine's. */
    errorType?: 'schemaOrg'
    issueMessage: string
    path: { type?: string; property?: string; index?: number }[]
  }
  /** Knows search engines' rules for structured data, and with a vocabulary schema.org's. */
  export class Validator {
    constructor(schemaOrg: { '@graph': object[] })
    /** Takes objects by type. */
    validate(found: { jsonld: Record<string, object[]> }): Promise<Issue[]>
  }
}
