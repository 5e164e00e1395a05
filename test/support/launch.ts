import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const root = join(import.meta.dirname, '../..')
/** How long a start may take, milliseconds. */
const START_MS = 120_000
/** How long an end may take that nobody measures, milliseconds. */
const END_MS = 30_000

export type Settings = Record<string, string>

/** Starts the shop as package.json says it, but without npm in between, so that its signals are its own. */
export async function launch(settings: Settings): Promise<{ child: ChildProcess; said: string[] }> {
  const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const PATH = `${join(root, 'node_modules/.bin')}${delimiter}${process.env.PATH}`
  const own = Object.entries(process.env).filter(
    ([name]) => !/^(DATABASE_|LIMIT|PUBLIC_URL|TZ$|NODE_OPTIONS)/.test(name),
  )
  const env = { ...Object.fromEntries(own), HOST: '127.0.0.1', DEMO: 'off', LIMITS: 'off', ...settings, PATH }
  const child = spawn('sh', ['-c', scripts.start], { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const said: string[] = []
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (words: string) => said.push(words))
  endWithUs(child)
  const until = Date.now() + START_MS
  while (!said.join('').includes('The shop is open at')) {
    if (over(child)) throw new Error(`The shop ended with ${child.exitCode}: ${said.join('')}`)
    if (Date.now() > until) {
      await end(child)
      throw new Error(`The shop does not open: ${said.join('')}`)
    }
    await sleep(10)
  }
  return { child, said }
}

export const over = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null

/** Ends a shop as it wants to be ended; one that does not end is killed. */
async function end(child: ChildProcess): Promise<void> {
  const ended = over(child) ? undefined : once(child, 'exit')
  child.kill('SIGTERM')
  const late = setTimeout(() => child.kill('SIGKILL'), END_MS)
  await ended
  clearTimeout(late)
}

/** Whatever ends this process, no shop that it started is left behind. */
function endWithUs(child: ChildProcess): void {
  const goodbye = () => child.kill('SIGTERM')
  process.once('exit', goodbye)
  child.once('exit', () => process.off('exit', goodbye))
}
