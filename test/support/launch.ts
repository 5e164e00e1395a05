import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const root = join(import.meta.dirname, '../..')
/** Timeout of a start, ms. */
const START_MS = 120_000
/** Timeout of an end, ms. */
const END_MS = 30_000

export type Settings = Record<string, string>

/** Starts the shop by the command in package.json, without npm, so that signals reach it directly. */
export async function launch(settings: Settings): Promise<{ child: ChildProcess; output: string[] }> {
  const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const PATH = `${join(root, 'node_modules/.bin')}${delimiter}${process.env.PATH}`
  const own = Object.entries(process.env).filter(
    ([name]) => !/^(DATABASE_|LIMIT|PUBLIC_URL|TZ$|NODE_OPTIONS)/.test(name),
  )
  const env = { ...Object.fromEntries(own), HOST: '127.0.0.1', DEMO: 'off', LIMITS: 'off', ...settings, PATH }
  const child = spawn('sh', ['-c', scripts.start], { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const output: string[] = []
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => output.push(text))
  endWithUs(child)
  const until = Date.now() + START_MS
  while (!output.join('').includes('The shop is open at')) {
    if (over(child)) throw new Error(`The shop ended with ${child.exitCode}: ${output.join('')}`)
    if (Date.now() > until) {
      await end(child)
      throw new Error(`The shop does not open: ${output.join('')}`)
    }
    await sleep(10)
  }
  return { child, output }
}

export const over = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null

/** Stops a shop by SIGTERM, then by SIGKILL. */
async function end(child: ChildProcess): Promise<void> {
  const ended = over(child) ? undefined : once(child, 'exit')
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), END_MS)
  await ended
  clearTimeout(timer)
}

/** Stops all shops when this process ends. */
function endWithUs(child: ChildProcess): void {
  const goodbye = () => child.kill('SIGTERM')
  process.once('exit', goodbye)
  child.once('exit', () => process.off('exit', goodbye))
}
