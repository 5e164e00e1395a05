import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { soon } from '../../../test/support/expect.ts'
import { onServer } from '../../../test/support/setup.ts'
import { type ConnectionOptions, openPool } from '../database/database.ts'
import { installJobs, type Job, startJobs } from './jobs.ts'

const database = `jobs_${randomUUID().replaceAll('-', '')}`
const connection = { ...inject('server'), database } as ConnectionOptions
beforeAll(async () => {
  await onServer(inject('server'), `create database ${database} template ${inject('template')}`)
  await installJobs(connection)
})
afterAll(() => onServer(inject('server'), `drop database if exists ${database} with (force)`))

/** Never while a test runs. */
const RARELY = '0 0 29 2 *'
const SECOND = 1_000

/** A process with these jobs. @returns its jobs, what it has logged, its statements, and a function that asks the database */
async function openProcess(...jobs: Job[]) {
  const { pool, statements, close } = openPool(connection, 4)
  const warnings: object[] = []
  const texts: string[] = []
  statements.on('statement', ({ text }) => texts.push(text))
  const running = await startJobs(pool, jobs, { warn: context => void warnings.push(context) })
  let stopped: Promise<void> | undefined
  const stop = () => {
    stopped ??= running.stop()
    return stopped
  }
  onTestFinished(async () => {
    await stop()
    await close()
  })
  return {
    wake: running.wake,
    stop,
    warnings,
    texts,
    rows: async (text: string) => (await pool.query(text)).rows,
  }
}

/** A job that counts its runs, and lasts until it is released. */
function controlled(settings: Partial<Job> = {}) {
  const signals: AbortSignal[] = []
  let release = Promise.withResolvers<void>()
  const job: Job = {
    name: `job-${randomUUID()}`,
    schedule: RARELY,
    expireInSeconds: 60,
    pollingIntervalSeconds: 60,
    async run(signal) {
      signals.push(signal)
      await release.promise
    },
    ...settings,
  }
  return {
    job,
    signals,
    release() {
      release.resolve()
      release = Promise.withResolvers()
    },
  }
}

test('a job that is woken runs at once, and once more for all that happens meanwhile', async () => {
  const { job, signals, release } = controlled()
  const { wake } = await openProcess(job)
  const began = performance.now()
  await wake(job.name)
  await expect.poll(() => signals.length, soon).toBe(1)
  // Not at the next look into the queue, which is once a minute.
  expect(performance.now() - began).toBeLessThan(job.pollingIntervalSeconds * SECOND)
  for (let n = 0; n < 5; n++) await wake(job.name)
  expect(signals).toHaveLength(1)
  release()
  await expect.poll(() => signals.length, soon).toBe(2)
  release()
  await wake(job.name)
  await expect.poll(() => signals.length, soon).toBe(3)
  release()
})

test('statements of the job queue are observed as all others', async () => {
  const { job, release } = controlled()
  const { wake, texts } = await openProcess(job)
  texts.length = 0
  await wake(job.name)
  release()
  expect(texts).toContainEqual(expect.stringContaining('pgboss'))
})

test('with a slot a job runs at most once in it', async () => {
  const signals: AbortSignal[] = []
  const { job } = controlled({ run: async signal => void signals.push(signal) })
  const { wake, rows } = await openProcess(job)
  await wake(job.name, 60 * 60 * 24 * 365)
  await wake(job.name, 60 * 60 * 24 * 365)
  await expect.poll(() => signals.length, soon).toBe(1)
  const [{ jobs }] = await rows(`select count(*)::int as jobs from pgboss.job where name = '${job.name}'`)
  expect(jobs).toBe(1)
})

test('a schedule runs once for two processes', async () => {
  const signals: AbortSignal[] = []
  const { job } = controlled({
    schedule: '* * * * *',
    pollingIntervalSeconds: 1,
    run: async signal => void signals.push(signal),
  })
  const { rows } = await openProcess(job)
  // Each process looks at the schedules when it starts, unless another one has done so in the last half minute.
  for (let processes = 0; processes < 2; processes++) {
    await rows('update pgboss.version set cron_on = null')
    await openProcess(job)
  }
  await expect.poll(() => signals.length, { timeout: 50_000, interval: 100 }).toBeGreaterThan(0)
  const left = () =>
    rows(
      `select 1 from pgboss.job where name in ('${job.name}', '__pgboss__send-it') and state < 'completed'`,
    )
  await expect.poll(left, soon).toEqual([])
  const [{ jobs, times }] = await rows(
    `select count(*) filter (where name = '${job.name}')::int as jobs,
       count(distinct singleton_on) filter (where data->>'name' = '${job.name}')::int as times from pgboss.job`,
  )
  // A minute may begin in the middle.
  expect(jobs).toBeLessThanOrEqual(times)
  expect(signals).toHaveLength(jobs)
})

test('a job that has failed is logged, and runs again the next time', async () => {
  let runs = 0
  const { job } = controlled({
    async run() {
      if (++runs === 1) throw new Error('the first run fails')
    },
  })
  const { wake, warnings } = await openProcess(job)
  await wake(job.name)
  await expect
    .poll(() => warnings, soon)
    .toMatchObject([{ job: job.name, err: { message: 'the first run fails' } }])
  await wake(job.name)
  await expect.poll(() => runs, soon).toBe(2)
  expect(warnings).toHaveLength(1)
})

test('an expired job is aborted, and meanwhile blocks no other process', async () => {
  const hanging = controlled({ expireInSeconds: 2 })
  const { job } = controlled({ name: hanging.job.name, pollingIntervalSeconds: 1 })
  const others: AbortSignal[] = []
  const first = await openProcess(hanging.job)
  await first.wake(job.name)
  await expect.poll(() => hanging.signals.length, soon).toBe(1)
  const second = await openProcess({
    ...job,
    expireInSeconds: 2,
    run: async signal => void others.push(signal),
  })
  // As by its schedule. The first process is busy: it may be dead.
  await second.wake(job.name)
  await expect.poll(() => others.length, soon).toBe(1)
  await expect.poll(() => hanging.signals[0]?.aborted, soon).toBe(true)
  hanging.release()
  const failed = () =>
    second.rows(
      `select count(*)::int as failed from pgboss.job where name = '${job.name}' and state = 'failed'`,
    )
  await expect.poll(failed, soon).toEqual([{ failed: 1 }])
})

test('a process that stops aborts its jobs, waits for them a few seconds, and starts no more', async () => {
  const { job, signals, release } = controlled()
  const first = await openProcess(job)
  await first.wake(job.name)
  await expect.poll(() => signals.length, soon).toBe(1)
  const second = await openProcess({ ...job, run: async () => {} })
  let stopped = false
  const stop = first.stop().then(() => {
    stopped = true
  })
  await expect.poll(() => signals[0]?.aborted, soon).toBe(true)
  expect(stopped).toBe(false)
  release()
  await stop
  await second.wake(job.name)
  const done = () =>
    second.rows(
      `select count(*)::int as done from pgboss.job where name = '${job.name}' and state = 'completed'`,
    )
  await expect.poll(done, soon).toEqual([{ done: 2 }])
  expect(signals).toHaveLength(1)
})

test('a job that does not stop is left behind after a few seconds', async () => {
  const { job, signals, release } = controlled()
  const { wake, stop } = await openProcess(job)
  await wake(job.name)
  await expect.poll(() => signals.length, soon).toBe(1)
  const began = performance.now()
  await stop()
  expect(performance.now() - began).toBeLessThan(15_000)
  release()
})
