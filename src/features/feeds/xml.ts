const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text as it may stand in XML and HTML. Characters that XML 1.0 cannot hold in any form are left out. */
export const escaped = (text: string): string =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones that XML forbids
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
    .toWellFormed()
    .replace(/[&<>"']/g, character => escapes[character] ?? character)

/** An element: its attributes, then its text or the elements in it. Both are escaped, elements are not. */
export function element(name: string, attributes: Record<string, string>, ...content: (string | Xml)[]): Xml {
  const given = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(value)}"`)
  const inner = content.map(part => (typeof part === 'string' ? escaped(part) : part.xml)).join('')
  return { xml: inner ? `<${name}${given.join('')}>${inner}</${name}>` : `<${name}${given.join('')}/>` }
}

/** What is XML already. */
export interface Xml {
  xml: string
}

/** A whole document. */
export const documentOf = ({ xml }: Xml): string => `<?xml version="1.0" encoding="UTF-8"?>\n${xml}\n`
