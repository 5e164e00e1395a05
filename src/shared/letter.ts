/** A letter as data. Its text and its HTML are drawn from it, so that both say the same. */
export interface Letter {
  /** Also the heading. */
  subject: string
  /** First name of the recipient; '' where the address is not confirmed: a stranger may have chosen it. */
  name: string
  parts: LetterPart[]
  /** Why the recipient gets it: 'you have sold something'. */
  why: string
  /** A link that ends letters of this kind. @param path with a leading slash */
  stop?: { link: string; path: string } | undefined
}

/** How a letter begins. */
export const greetingOf = ({ name }: Letter): string => (name ? `Hello ${name},` : 'Hello,')

export type LetterPart =
  | { text: string }
  /** A text that another user has written. */
  | { quote: string }
  /** Rows of a table, such as pieces and prices. */
  | { rows: [label: string, value: string][] }
  /** A link to a page of this installation. @param path with a leading slash */
  | { link: string; path: string }
