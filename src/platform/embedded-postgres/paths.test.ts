import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { asRoot, folder, rows, start } from '../../../test/support/embedded-postgres.ts'

vi.setConfig({ testTimeout: 120_000 })

test.runIf(asRoot)(
  'root: a folder that only root can enter is replaced by another one, at every start',
  async () => {
    const dataDir = join(folder(0o700), 'private', 'data')
    mkdirSync(dirname(dataDir), { mode: 0o700 })
    const first = await start(dataDir)
    onTestFinished(() => rmSync(dirname(first.dataDir), { recursive: true }))
    expect(first.dataDir).toMatch(/^\/var\/lib\/thrum\/\w+\/data$/)
    expect(first.lines.filter(line => line.includes(`: data is in ${first.dataDir}`))).toHaveLength(1)
    await rows(first, `create table bowls as select 'a bowl' as what`)
    await first.stop()
    const second = await start(dataDir)
    expect(await rows(second, 'select what from bowls')).toEqual([['a bowl']])
  },
)

test('a long path works', async () => {
  const server = await start(join(folder(), 'deep/'.repeat(40), 'data'))
  expect(join(server.connection.host, '.s.PGSQL.5432').length).toBeLessThanOrEqual(103)
  expect(await rows(server, 'select 1')).toEqual([[1]])
})

test('refuses a directory with other contents, and leaves it unchanged', async () => {
  const dataDir = folder()
  writeFileSync(join(dataDir, 'letter.txt'), 'dear Ana')
  await expect(start(dataDir)).rejects.toThrow(
    `${dataDir} is meant for the database, but it holds letter.txt`,
  )
  expect(statSync(dataDir).mode & 0o777).toBe(0o755)
})

test('requires DATABASE_URL if there are no binaries', async () => {
  vi.spyOn(process, 'arch', 'get').mockReturnValue('riscv64')
  onTestFinished(() => void vi.restoreAllMocks())
  await expect(start(join(folder(), 'data'))).rejects.toThrow(/riscv64.*Set DATABASE_URL/)
})
