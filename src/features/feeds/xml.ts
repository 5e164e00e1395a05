import { escapeHtml } from '#html'

/** Escapes text for XML and HTML. Drops characters that XML 1.0 forbids. */
export const escaped = (text: string): string =>
  escapeHtml(
    text
      // biome-ignore lint/suspicious/noControlCharactersInRegex: XML forbids these
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
      .toWellFormed(),
  )

/** An element with attributes and content. Texts are escaped, elements are not. */
export function element(name: string, attributes: Record<string, string>, ...content: (string | Xml)[]): Xml {
  const given = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(value)}"`)
  const inner = content.map(part => (typeof part === 'string' ? escaped(part) : part.xml)).join('')
  return { xml: inner ? `<${name}${given.join('')}>${inner}</${name}>` : `<${name}${given.join('')}/>` }
}

/** Markup that is escaped already. */
export interface Xml {
  xml: string
}

/** An XML document. */
export const documentOf = ({ xml }: Xml): string => `<?xml version="1.0" encoding="UTF-8"?>\n${xml}\n`
