/** How much slower a shop gets with its listings: the same questions at several sizes. */
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openShop } from '../faults/ground.ts'
import { CATEGORIES, categoryAddress } from '../src/products/categories.ts'
import { fillWith, made } from './generated.ts'
import { type Load, load } from './load.ts'

/** What is searched for: words of so many listings that there are in a shop of any size. */
const SEARCHED = 200

/** Prints a row for each question and size. */
export async function measureGrowth(sizes: number[]): Promise<void> {
  console.log('| listings | question | requests/s | p50 ms | p99 ms | failed |')
  console.log('|---|---|---|---|---|---|')
  for (const size of sizes) {
    const dataDir = await mkdtemp(join(tmpdir(), 'thrum-growth-'))
    await chmod(dataDir, 0o755)
    try {
      await fillWith(join(dataDir, 'postgres'), size, join(import.meta.dirname, '../migrations'))
      const shop = await openShop(dataDir, {})
      try {
        const listed = await fetch(`${shop.address}/api/products/?limit=100`)
        const { products } = (await listed.json()) as { products: { id: number }[] }
        const ids = products.map(({ id }) => id)
        for (const [question, ask] of questions(shop.address, ids)) print(size, question, await ask())
      } finally {
        await shop.stop()
      }
    } finally {
      await rm(dataDir, { recursive: true, force: true })
    }
  }
}

const print = (size: number, question: string, { perSecond, p50, p99, failed }: Load) =>
  console.log(
    `| ${size.toLocaleString('en-US')} | ${question} | ${Math.round(perSecond)} | ${p50} | ${p99} | ${failed} |`,
  )

function questions(address: string, ids: number[]): [string, () => Promise<Load>][] {
  const words = [...made(SEARCHED, 1)].map(({ name }) => name.toLowerCase().split(' '))
  const gzip = { 'accept-encoding': 'gzip' }
  const html = (paths: () => string) => () => load(address, { headers: gzip, paths })
  const json = (paths: () => string) => () => load(address, { paths })
  const searches = words.map(
    ([adjective, material, noun], n) =>
      [noun, `${material} ${noun}`, `${adjective} ${noun}`, material][n % 4],
  )
  return [
    ['list of 24', json(() => '/api/products/?limit=24')],
    ['one product', json(turning(ids.map(id => `/api/products/${id}`)))],
    ['category page', html(turning(CATEGORIES.map(categoryAddress)))],
    ['search, words asked before', json(turning(searches.map(q => searchFor(q ?? ''))))],
    ['search, never asked before', json(never(searches.map(q => q ?? '')))],
    [
      'search page, never asked before',
      html(
        never(
          searches.map(q => q ?? ''),
          '/search?',
        ),
      ),
    ],
  ]
}

const searchFor = (q: string, more = '', path = '/api/products/?limit=24&') =>
  `${path}q=${encodeURIComponent(q)}${more}`

/** One after the other, and again from the beginning. */
function turning(paths: string[]): () => string {
  let turn = 0
  return () => paths[turn++ % paths.length] ?? '/'
}

/** The same words with another highest price each time: no answer can have been kept. */
function never(words: string[], path?: string): () => string {
  let turn = 0
  return () => {
    const cents = 900_000 - turn
    return searchFor(words[turn++ % words.length] ?? '', `&max=${(cents / 100).toFixed(2)}`, path)
  }
}
