import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { Agent, get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test, vi } from 'vitest'
import { soon, times } from '../../test/expect.ts'

const handing = JSON.stringify(join(import.meta.dirname, 'handing.ts'))

/** Runs this as the first process of a cluster and as its others. @returns the process, and a line that it says */
async function run(program: string): Promise<{ child: ChildProcess; said: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'handing-'))
  const file = join(folder, 'program.mjs')
  const imports = `import cluster from 'node:cluster'
    import { createServer } from 'node:http'
    import { Handing } from ${handing}`
  await writeFile(file, `${imports}\n${program}`)
  const child = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await rm(folder, { recursive: true })
  })
  const lines = createInterface(child.stdout)
  const [said] = await Promise.race([once(lines, 'line'), once(lines, 'close').then(() => [''])])
  return { child, said }
}

/**
 * Two processes on one port that tell who they are. One does nothing for a while once somebody has come; when they are told
 * to end, both take no more and stay.
 */
async function crewOfTwo(): Promise<{ port: number; end(): void }> {
  const { child, said } = await run(`
    if (cluster.isPrimary) {
      const handing = new Handing()
      const workers = [cluster.fork(), cluster.fork()]
      for (const worker of workers) handing.watch(worker)
      let listening = 0
      cluster.on('listening', (_, { port }) => ++listening === 2 && console.log(port))
      process.once('SIGTERM', () => {
        handing.end()
        for (const worker of workers) worker.send('end')
      })
    } else {
      const { id } = cluster.worker
      const stop = id === 1 ? () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60) : () => {}
      const server = createServer((_, response) => response.end(String(id)))
      server.once('connection', stop).listen(0, '127.0.0.1')
      process.on('SIGTERM', () => {})
      process.once('message', () => server.close())
    }`)
  return { port: Number(said), end: () => child.kill('SIGTERM') }
}

/** Who answers; an error where nobody does, 'no answer' where that is not told within two seconds. */
function ask(port: number, agent: Agent): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const asked = get({ host: '127.0.0.1', port, agent, timeout: 2_000 }, async response =>
    resolve((await response.toArray()).join('')),
  )
  asked.on('timeout', () => {
    resolve('no answer')
    asked.destroy()
  })
  asked.on('error', reject)
  return promise
}

test('of a rush each process is handed its part, also one that cannot take any for a moment', async () => {
  const { port } = await crewOfTwo()
  const agent = new Agent({ keepAlive: true, maxSockets: 100 })
  const whom = await times(100, () => ask(port, agent))
  agent.destroy()
  const slow = whom.filter(id => id === '1').length
  expect(slow).toBeGreaterThan(25)
  expect(slow).toBeLessThan(75)
})

test('whoever comes while all of them end is answered or told, and not left waiting', async () => {
  const { port, end } = await crewOfTwo()
  const agent = new Agent({ keepAlive: false })
  const heard: string[] = []
  const asking = times(30, async () => {
    for (;;) heard.push(await ask(port, agent))
  })
  await vi.waitUntil(() => heard.length > 300, soon)
  end()
  await expect(asking).rejects.toThrow()
  await new Promise(settled => setTimeout(settled, 2_500))
  expect(heard).not.toContain('no answer')
})

test('what a process is told is no connection, and its death ends nothing else', async () => {
  const { said } = await run(`
    if (cluster.isPrimary) {
      const worker = cluster.fork()
      new Handing().watch(worker)
      worker.once('listening', () => setImmediate(() => {
        worker.process.kill('SIGSTOP')
        worker.send('a word', () => {})
        worker.process.kill('SIGKILL')
      }))
      worker.once('exit', () => setImmediate(() => console.log('still there')))
    } else createServer().listen(0)`)
  expect(said).toBe('still there')
})
