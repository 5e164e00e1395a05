import { parseSync } from 'vite'

/** A mutation: the text from `start` to `end` becomes `text`. */
export interface Mutant {
  file: string
  /** Line number, from 1. */
  line: number
  start: number
  end: number
  /** The old and the new text. */
  was: string
  text: string
}

/** A node of the parser's syntax tree. */
interface Node {
  type: string
  start: number
  end: number
  [key: string]: unknown
}

const operators: Record<string, string> = {
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '&&': '||',
  '||': '&&',
  '??': '&&',
}
/** SQL keywords with replacements. */
const words: [RegExp, string][] = [
  [/\band\b/g, 'or'],
  [/\bdesc\b/g, 'asc'],
  [/\bleast\b/g, 'greatest'],
  [/<>/g, '='],
  [/(?<=\s)<(?=\s)/g, '<='],
  [/(?<=\s)\+(?=\s)/g, '-'],
  [/(?<=\s)-(?=\s)/g, '+'],
]
/** Optional parts of a query: `db.selectFrom('orders').where(…)` becomes `db.selectFrom('orders')`. */
const optional = /^(?:where|orderBy|limit|forUpdate|onConflict|distinct|filter|toReversed|trim)$/
/** Operators and orders in a query with replacements. */
const inQueries: Record<string, string> = {
  '=': '<>',
  '<>': '=',
  '<': '<=',
  '>': '>=',
  desc: 'asc',
  asc: 'desc',
}
/** A column name: without it every test would fail. */
const column = /^[a-z_]+(?:\.[a-z_]+)?(?: as [a-z_]+)?$/
/** Nodes without effect at run time. */
const skipped = /^(?:ImportDeclaration|TS.*|Directive)$/

/**
 * All mutants of a TypeScript source: other operators, conditions that never hold, other texts and numbers, deleted
 * statements and parts of queries. Types and imports stay.
 */
export function mutantsOf(file: string, source: string): Mutant[] {
  const found: Mutant[] = []
  const add = (start: number, end: number, text: string) => {
    const line = source.slice(0, start).split('\n').length
    found.push({ file, line, start, end, was: source.slice(start, end), text })
  }
  const { program } = parseSync(file, source)
  const visit = (node: Node) => {
    if (skipped.test(node.type) && !/^TS(?:As|Satisfies|NonNull)/.test(node.type)) return
    mutate(node, source, add)
    for (const [key, value] of Object.entries(node)) {
      if (key === 'typeAnnotation' || key === 'typeArguments' || key === 'returnType') continue
      for (const child of [value].flat())
        if (isNode(child) && !isName(node, key) && !isColumn(node, child)) visit(child)
    }
  }
  visit(program as unknown as Node)
  return found
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

/** Names of columns in a query, alone or in a list. */
const isColumn = (node: Node, child: Node): boolean =>
  /^(?:CallExpression|ArrayExpression)$/.test(node.type) &&
  child.type === 'Literal' &&
  column.test(String(child.value)) &&
  !(String(child.value) in inQueries)

/** Object keys and attribute names; `class` and `id` are not visible. */
const isName = (node: Node, key: string): boolean =>
  (key === 'key' && !node.computed) ||
  (key === 'value' &&
    node.type === 'JSXAttribute' &&
    /^(?:className|id|key|type|width|height|viewBox)$/.test(String((node.name as { name?: unknown }).name)))

function mutate(node: Node, source: string, add: (start: number, end: number, text: string) => void): void {
  const { type, start, end } = node
  const textOf = ({ start, end }: Node) => source.slice(start, end)
  if (type === 'BinaryExpression' || type === 'LogicalExpression') {
    const [left, right] = [node.left as Node, node.right as Node]
    const other = operators[String(node.operator)]
    const at = source.indexOf(String(node.operator), left.end)
    // `??` beside `||` or `&&` needs parentheses around the whole.
    if (other && at < right.start) add(start, end, `(${textOf(left)}) ${other} (${textOf(right)})`)
  } else if (type === 'IfStatement' || type === 'ConditionalExpression') {
    const test = node.test as Node
    add(test.start, test.end, 'false')
    add(test.start, test.end, 'true')
  } else if (type === 'ThrowStatement') {
    add(start, end, ';')
  } else if (type === 'ExpressionStatement') {
    add(start, end, ';')
  } else if (type === 'UnaryExpression' && node.operator === '!') {
    add(start, end, `(${textOf(node.argument as Node)})`)
  } else if (type === 'CallExpression') {
    const callee = node.callee as Node
    const name = (callee.property as { name?: string } | undefined)?.name
    if (callee.type === 'MemberExpression' && name && optional.test(name))
      add(start, end, textOf(callee.object as Node))
  } else if (type === 'JSXText') {
    if (textOf(node).trim() !== '') add(start, end, 'Mutated')
  } else if (type === 'Literal') {
    if (typeof node.value === 'string') {
      const other = inQueries[node.value] ?? (node.value === '' ? 'Mutated' : '')
      add(start, end, `'${other}'`)
    }
    if (typeof node.value === 'number') add(start, end, String(node.value + 1))
    if (typeof node.value === 'boolean') add(start, end, String(!node.value))
  } else if (type === 'TemplateElement') {
    for (const [word, other] of words)
      for (const match of textOf(node).matchAll(word))
        add(start + match.index, start + match.index + match[0].length, other)
  }
}
