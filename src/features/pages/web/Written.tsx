import { createElement, type ReactNode } from 'react'
import type { Step } from '../contract.ts'

/** What operators have written, as elements. The steps name elements that are known, so no HTML is parsed. */
export const Written = ({ steps }: { steps: Step[] }) => <>{elementsOf(steps, { at: 0, ids: new Set() })}</>

interface Cursor {
  at: number
  /** Ids of the headings before. */
  ids: Set<string>
}

/** The elements from a step to the end of the one around it; `cursor` moves behind that. */
function elementsOf(steps: Step[], cursor: Cursor): ReactNode[] {
  const elements: ReactNode[] = []
  for (let step = steps[cursor.at++]; step && step.kind !== 'end'; step = steps[cursor.at++]) {
    if (step.kind === 'words') elements.push(step.words)
    else {
      const first = cursor.at
      const children = elementsOf(steps, cursor)
      const id = /^h[2-4]$/.test(step.tag ?? '') ? idOf(steps.slice(first, cursor.at), cursor.ids) : undefined
      elements.push(elementOf(step, first, id, children))
    }
  }
  return elements
}

/** The id of a heading, for links within its page: "Returns & refunds" is `#returns-refunds`, the next one `#returns-refunds-2`. */
function idOf(heading: Step[], before: Set<string>): string | undefined {
  const text = heading.map(({ words = '' }) => words).join('')
  const slug = text
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+/gu)
    ?.join('-')
  if (slug === undefined) return undefined
  let id = slug
  for (let n = 2; before.has(id); n++) id = `${slug}-${n}`
  before.add(id)
  return id
}

/** What is read on another site is its own: it is not told from where. */
function elementOf(
  { tag, href, start }: Step,
  key: number,
  id: string | undefined,
  children: ReactNode[],
): ReactNode {
  const isElsewhere = href !== undefined && /^https?:/i.test(href)
  const rel = isElsewhere ? 'noopener noreferrer' : undefined
  const empty = tag === 'br' || tag === 'hr'
  return createElement(tag ?? 'p', { key, id, href, rel, start }, ...(empty ? [] : children))
}
