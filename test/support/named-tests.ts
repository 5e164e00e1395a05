import { readFileSync } from 'node:fs'
import { parseSync } from 'vite'

interface Node {
  type: string
  start: number
  end: number
  [key: string]: unknown
}
const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'
const childrenOf = (node: Node): Node[] => Object.values(node).flat().filter(isNode)

/**
 * The text of each test in a file: its source, and that of the functions, tables and constants of the file that it
 * uses, without comments. Title as in the source → text.
 */
export function testsIn(path: string): Map<string, string> {
  const source = readFileSync(path, 'utf8')
  const { program, comments } = parseSync(path, source)
  // Keeps the length, so that offsets stay valid.
  const plain = comments.reduce(
    (text, { start, end }) => text.slice(0, start) + ' '.repeat(end - start) + text.slice(end),
    source,
  )
  const declared = new Map<string, Node>()
  for (const node of program.body as unknown as Node[]) {
    const declaration = isNode(node.declaration) ? node.declaration : node
    const parts = (declaration.declarations as Node[] | undefined) ?? [declaration]
    for (const part of parts)
      for (const name of isNode(part.id) ? namesIn(part.id) : []) declared.set(name, part)
  }
  const tests = new Map<string, string>()
  const textOf = (node: Node): string => {
    const used = new Set<Node>([node])
    for (const each of used)
      for (const name of namesIn(each)) {
        const found = declared.get(name)
        if (found) used.add(found)
      }
    return [...used].map(({ start, end }) => plain.slice(start, end)).join('\n')
  }
  const visit = (node: Node) => {
    if (node.type === 'CallExpression' && isTest(node.callee as Node)) {
      const [title] = node.arguments as Node[]
      if (title) {
        const name = source.slice(title.start + 1, title.end - 1)
        tests.set(name, `${tests.get(name) ?? ''}\n${textOf(node)}`)
      }
    }
    for (const child of childrenOf(node)) visit(child)
  }
  visit(program as unknown as Node)
  return tests
}

/** `test`, `test.each(…)`, `test.skipIf(…)`. */
function isTest(callee: Node): boolean {
  if (callee.type === 'Identifier') return callee.name === 'test'
  if (callee.type === 'CallExpression') return isTest(callee.callee as Node)
  return callee.type === 'MemberExpression' && isTest(callee.object as Node)
}

function namesIn(node: Node): string[] {
  if (node.type === 'Identifier') return [String(node.name)]
  return childrenOf(node).flatMap(namesIn)
}
