// What the parts of the listing form have in common: their controls have texts.

/** The text of a control; undefined where the form has no such control. */
export type ControlText = (control: string) => string | undefined

/** The lines of a text that are not empty, trimmed. */
export const linesIn = (text: string): string[] =>
  text
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '')
