declare module '@adobe/structured-data-validator/src/validator.js' {
  interface Issue {
    severity: 'ERROR' | 'WARNING'
    issueMessage: string
    path: { type?: string; property?: string; index?: number }[]
  }
  /** Knows what search engines ask of structured data. Takes things by their type. */
  export class Validator {
    validate(found: { jsonld: Record<string, object[]> }): Promise<Issue[]>
  }
}
