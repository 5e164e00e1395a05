import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { Agent, get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { times } from '../../test/expect.ts'

const handing = JSON.stringify(join(import.meta.dirname, 'handing.ts'))

/** Two processes on one port that tell who they are; one does nothing for a while once somebody has come. @returns the port */
async function crewOfTwo(): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'handing-'))
  const program = join(folder, 'program.mjs')
  await writeFile(
    program,
    `import cluster from 'node:cluster'
    import { createServer } from 'node:http'
    import { Handing } from ${handing}
    if (cluster.isPrimary) {
      const handing = new Handing()
      let listening = 0
      for (let n = 0; n < 2; n++) handing.watch(cluster.fork())
      cluster.on('listening', (_, { port }) => ++listening === 2 && console.log(port))
    } else {
      const { id } = cluster.worker
      const stop = id === 1 ? () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60) : () => {}
      createServer((_, response) => response.end(String(id))).once('connection', stop).listen(0, '127.0.0.1')
    }`,
  )
  const child = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await rm(folder, { recursive: true })
  })
  const [port] = await once(createInterface(child.stdout), 'line')
  return Number(port)
}

test('of a rush each process is handed its part, also one that cannot take any for a moment', async () => {
  const port = await crewOfTwo()
  const agent = new Agent({ keepAlive: true, maxSockets: 100 })
  const whom = await times(
    100,
    () =>
      new Promise<string>((resolve, reject) => {
        get({ host: '127.0.0.1', port, agent }, async response =>
          resolve((await response.toArray()).join('')),
        ).on('error', reject)
      }),
  )
  agent.destroy()
  const slow = whom.filter(id => id === '1').length
  expect(slow).toBeGreaterThan(25)
  expect(slow).toBeLessThan(75)
})
