import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { Agent, get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test, vi } from 'vitest'
import { soon, times } from '../../../test/support/expect.ts'

const supervisorModule = JSON.stringify(join(import.meta.dirname, 'worker-supervisor.ts'))

/**
 * Two processes on one port that answer with their ids. Each connection keeps its process busy for a millisecond, as
 * real work does. On shutdown, both stop accepting, and stay for two seconds.
 */
async function twoWorkers(): Promise<{ port: number; child: ChildProcess }> {
  const folder = await mkdtemp(join(tmpdir(), 'workers-'))
  const [program, first] = [join(folder, 'program.ts'), join(folder, 'first.ts')]
  await writeFile(
    program,
    `import { createServer } from 'node:http'
    import { runWorker } from ${supervisorModule}
    const busy = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1)
    await runWorker(async () => {
      const server = createServer((_, response) => response.end(String(process.pid))).on('connection', busy)
      await new Promise(open => server.listen(0, '127.0.0.1', open))
      const stop = async () => {
        server.close()
        await new Promise(over => setTimeout(over, 2000))
      }
      return { origin: String(server.address().port), stop }
    }, () => false)`,
  )
  await writeFile(
    first,
    `import { WorkerSupervisor } from ${supervisorModule}
    const supervisor = new WorkerSupervisor(${JSON.stringify(program)}, '', () => {})
    console.log(await supervisor.open(2))
    process.once('SIGTERM', () => supervisor.stop())`,
  )
  const child = spawn(process.execPath, [first], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await rm(folder, { recursive: true })
  })
  const [port] = await once(createInterface(child.stdout), 'line')
  return { port: Number(port), child }
}

/** Sends a request. @returns the process id of the response, or 'no answer' after two seconds @throws Error if it is refused */
function requestPid(port: number, agent: Agent): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const request = get({ host: '127.0.0.1', port, agent, timeout: 2_000 }, async response =>
    resolve((await response.toArray()).join('')),
  )
  request.on('timeout', () => {
    resolve('no answer')
    request.destroy()
  })
  request.on('error', reject)
  return promise
}

test('a hundred concurrent connections are spread over the processes', async () => {
  const { port } = await twoWorkers()
  const agent = new Agent({ keepAlive: true, maxSockets: 100 })
  const answered = await times(100, () => requestPid(port, agent))
  agent.destroy()
  const parts = Object.values(Object.groupBy(answered, pid => pid)).map(part => part?.length)
  expect(parts).toHaveLength(2)
  expect(Math.min(...parts.map(Number))).toBeGreaterThan(10)
})

test('a connection during shutdown is answered or refused, and never left waiting', async () => {
  const { port, child } = await twoWorkers()
  const agent = new Agent({ keepAlive: false })
  const answers: string[] = []
  const clients = Array.from({ length: 30 }, async () => {
    for (;;) answers.push(await requestPid(port, agent))
  })
  const refused = Promise.allSettled(clients)
  await vi.waitUntil(() => answers.length > 300, soon)
  child.kill('SIGTERM')
  await refused
  expect(answers).not.toContain('no answer')
})
