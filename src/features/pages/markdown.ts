import MarkdownIt, { type Token } from 'markdown-it'
import type { Step, Tag } from './contract.ts'

/**
 * No HTML, no pictures and no tables: what is left are the tags of the contract. The parser leaves links with `javascript:`,
 * `vbscript:`, `file:` or `data:` as words.
 */
const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false, maxNesting: 20 }).disable([
  'image',
  'table',
  'strikethrough',
])
/** Addresses that a link may have: of this shop, of the web, of a letter or a telephone. */
const ADDRESS = /^(?:https?:\/\/|mailto:|tel:|#|\/(?![/\\]))/i
markdown.validateLink = address => ADDRESS.test(address.trim())

/** Tags of the parser → ours. Headings begin below the title of the page. */
const tags: Record<string, Tag> = {
  ...{ h1: 'h2', h2: 'h2', h3: 'h3', h4: 'h4', h5: 'h4', h6: 'h4', p: 'p', ul: 'ul', ol: 'ol', li: 'li' },
  ...{ blockquote: 'blockquote', hr: 'hr', br: 'br', em: 'em', strong: 'strong', a: 'a' },
}

/** The steps through a text in Markdown. */
export const stepsOf = (text: string): Step[] => markdown.parse(text, {}).flatMap(stepsOfToken)

function stepsOfToken(token: Token): Step[] {
  const { type, content, children } = token
  switch (type) {
    case 'inline':
      return (children ?? []).flatMap(stepsOfToken)
    case 'text':
      return content === '' ? [] : [{ kind: 'words', words: content }]
    case 'softbreak':
      return [{ kind: 'words', words: '\n' }]
    case 'code_inline':
      return whole('code', content)
    case 'code_block':
    case 'fence':
      return whole('pre', content)
    case 'hardbreak':
      return whole('br')
    case 'hr':
      return whole('hr')
    default:
      return markOf(token)
  }
}

const whole = (tag: Tag, words?: string): Step[] => [
  { kind: 'begin', tag },
  ...(words ? [{ kind: 'words', words } as const] : []),
  { kind: 'end', tag },
]

/** Begin or end of an element. The paragraphs of a tight list are none. */
function markOf(token: Token): Step[] {
  const tag = tags[token.tag]
  if (!tag || token.hidden || token.nesting === 0) return []
  if (token.nesting === -1) return [{ kind: 'end', tag }]
  const href = token.attrGet('href')
  const start = token.attrGet('start')
  return [
    {
      kind: 'begin',
      tag,
      ...(href === null ? {} : { href: String(href) }),
      ...(start === null ? {} : { start: Number(start) }),
    },
  ]
}

/** Blanks that are left to fill in: '[name of the co-operative]'. What is in brackets before an address is a link. */
export const blanksOf = (text: string): string[] => [
  ...new Set(
    stepsOf(text)
      .map(({ words }) => words ?? '')
      .join('')
      .match(/\[[^[\]]{1,200}\]/g),
  ),
]
