import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'

const supervisorModule = JSON.stringify(join(import.meta.dirname, 'worker-supervisor.ts'))
/** Supervises one worker that runs `start`, until a line with `until` is logged. @returns all lines */
async function superviseOne(start: string, until: string): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'workers-'))
  const program = join(folder, 'program.ts')
  const first = join(folder, 'first.ts')
  // Its length counts the starts.
  await writeFile(join(folder, 'starts'), '')
  await writeFile(
    program,
    `import { appendFileSync, readFileSync } from 'node:fs'
    import { runWorker } from ${supervisorModule}
    appendFileSync('starts', '.')
    const start = readFileSync('starts').length
    const end = () => setTimeout(() => process.exit(3), 10)
    const open = { origin: 'here', stop: async () => console.log('stopped') }
    await runWorker(async workerData => { ${start} }, error => error.message === 'away')`,
  )
  await writeFile(
    first,
    `import { WorkerSupervisor } from ${supervisorModule}
    const logged = Promise.withResolvers()
    const log = line => { console.log(line); if (line.includes(process.argv[2])) logged.resolve() }
    const supervisor = new WorkerSupervisor('program.ts', 'the data', log, tries => (log('pause ' + tries), 1))
    supervisor.broken.then(log)
    await supervisor.open(1).then(log, ({ message, code }) => log('failed ' + code + ' ' + message))
    await logged.promise
    await supervisor.stop()`,
  )
  const child = spawn(process.execPath, [first, until], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await rm(folder, { recursive: true })
  })
  const [output] = await Promise.all([text(child.stdout), once(child, 'exit')])
  return output
    .trim()
    .replace(/(?<!pause )\d{2,}/g, 'PID')
    .split('\n')
}

const ended = 'Worker process PID exited (exit code 3); starting another'
const away = 'A worker process failed to start: away'

test('a worker that ends soon after opening is restarted with growing pauses', async () => {
  const lines = await superviseOne(`end(); return open`, 'pause 14')
  const pauses = lines.filter(line => line.startsWith('pause'))
  expect(pauses).toEqual(Array.from({ length: 14 }, (_, n) => `pause ${n + 1}`))
  expect(lines.filter(line => line === ended)).toHaveLength(14)
  expect(lines.join()).not.toContain('in a row')
}, 120_000)

test('a worker that no longer opens is tried ten times', async () => {
  const lines = await superviseOne(
    `console.log(workerData)
    if (start > 3) throw new Error('broken')
    end(); return open`,
    'times in a row',
  )
  // Three that opened, and then ten that did not.
  expect(lines.filter(line => line === 'the data')).toHaveLength(13)
  expect(lines.filter(line => line === ended)).toHaveLength(3)
  expect(lines.filter(line => line.endsWith('failed to start: broken'))).toHaveLength(10)
  expect(lines.at(-1)).toBe('Worker processes failed to start PID times in a row')
}, 120_000)

test('attempts while a dependency is away do not count', async () => {
  const lines = await superviseOne(
    `if (start > 1 && start < 13) throw new Error('away')
    setTimeout(() => process.exit(start), 10)
    return open`,
    'exit code 13',
  )
  expect(lines.filter(line => line === away)).toHaveLength(11)
  expect(lines).toContain('Worker process PID exited (exit code PID); starting another')
  expect(lines.join()).not.toContain('in a row')
}, 120_000)

test('a worker that cannot open gives its reason', async () => {
  const lines = await superviseOne(
    `throw Object.assign(new Error('taken'), { code: 'EADDRINUSE' })`,
    'failed',
  )
  expect(lines).toEqual(['failed EADDRINUSE taken'])
})
