import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { simpleParser } from 'mailparser'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { EXPORTS } from '../../src/features/personal-data/exports.ts'
import { requestJobRun } from '../../src/platform/jobs/job-events.ts'
import { TIMEOUT_MS } from '../support/browser/browser.ts'
import { expectFits, expectOpen } from '../support/browser/looks.ts'
import { eventually, inEachMode, type Visit, visit } from '../support/browser/steps.ts'
import { openShop, type Person, type TestShop } from '../support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  // Letters are files, as without a mail server.
  shop = await openShop({ settings: { LIMITS: 'on' } })
})
afterAll(() => shop.close())

const page = '/settings/account'
const GONE =
  'This link leads to nothing in your account: an archive is deleted after 24 hours. Below is what there is now'
const status = (there: Visit, words: RegExp) => there.page.getByRole('status').getByText(words).waitFor()
const PREPARED = /^Your data is being prepared\./
const READY = /^Your data is ready: less than 0\.1 MB\. It is deleted on \w+ \d+, \d{4}, \d\d:\d\d UTC\.$/

const set = ({ user }: Person, values: string) =>
  shop.rows(`update data_exports set ${values} where user_id = ${user.id}`)
/** As if the user had requested the data on an earlier day. */
const daysPass = ({ user }: Person, days: number) =>
  shop.rows(
    `update rate_limits set window_start = window_start - interval '${days} days' where subject = 'daily_exports:${user.id}'`,
  )
const stateOf = async (person: Person) => (await person.get('/api/account/data')).body.state

/** Holds up all archives, as one that is being made does, to see the page meanwhile. @returns lets them go on */
async function holdUp(): Promise<() => Promise<void>> {
  const { user } = await shop.signUp('other')
  await shop.rows(
    `insert into data_exports (user_id, leased_until) values (${user.id}, now() + interval '1 hour')`,
  )
  return async () => {
    await shop.rows(`delete from data_exports where user_id = ${user.id}`)
    requestJobRun(EXPORTS)
  }
}

/** Requests a user's data, and waits until it is ready. */
async function prepare(person: Person): Promise<void> {
  await person.post('/api/account/data')
  await eventually(() => stateOf(person)).toBe('ready')
}

/** Presses the link, and waits for the file. */
async function download(there: Visit): Promise<string> {
  const arrives = there.page.waitForEvent('download')
  await there.press('link', 'Download your data')
  return (await arrives).suggestedFilename()
}

/** Path of the link in the letter to somebody whose data is ready. */
async function linkTo({ user }: Person): Promise<string> {
  const folder = join(shop.dataDir, 'mail')
  const found = async () => {
    for (const name of await readdir(folder).catch(() => [])) {
      if (!name.includes('data_ready') || !name.endsWith('.eml')) continue
      const { to, text } = await simpleParser(await readFile(join(folder, name)))
      if ([to ?? []].flat()[0]?.value[0]?.address === user.email)
        return /\/settings\/account\?archive=[\w-]+/.exec(text ?? '')?.[0]
    }
    return undefined
  }
  await expect.poll(found, { timeout: TIMEOUT_MS }).toBeTruthy()
  return (await found()) ?? ''
}

inEachMode(mode => {
  test('the own data is requested, prepared in the background, and downloaded', async () => {
    const ana = await shop.signUp('ana')
    const goOn = await holdUp()
    const there = await visit(shop, mode, { signedInAs: ana })
    await there.go(page)
    await there.press('button', 'Prepare your data')
    await status(there, PREPARED)
    // The button is gone, and the focus is not lost.
    if (there.scripted)
      await eventually(() => there.page.evaluate(() => document.activeElement?.textContent)).toMatch(PREPARED)
    await there.press('link', 'Look again')
    await status(there, PREPARED)
    await goOn()
    await eventually(() => stateOf(ana)).toBe('ready')
    // With scripts the page updates itself.
    if (!there.scripted) await there.press('link', 'Look again')
    await status(there, READY)
    expect(await download(there)).toBe('my-data.zip')
    await there.page.getByText(/^You can ask for it again from \w+ \d+, \d{4}, 00:00 UTC on\.$/).waitFor()
    expect(await there.page.getByRole('button', { name: /^Prepare/ }).count()).toBe(0)
  })

  test('the letter leads through the login to the data of its own account', async () => {
    const [ana, ben] = [await shop.signUp('ana'), await shop.signUp('ben')]
    await prepare(ana)
    const link = await linkTo(ana)
    const there = await visit(shop, mode)
    await there.go(link)
    await there.arrives(`/login?next=${encodeURIComponent(link)}`)
    await there.fill('Email', ana.user.email)
    await there.fill('Password', ana.password)
    await there.press('button', 'Log In')
    await there.arrives(link)
    await status(there, READY)
    expect(await there.one('link', 'Download your data').getAttribute('href')).toBe(
      link.replace('/settings/account', '/api/account/data/file'),
    )
    expect(await download(there)).toBe('my-data.zip')
    const stranger = await visit(shop, mode, { signedInAs: ben, expects: [/status of 404/] })
    expect(await stranger.go(link)).toBe(404)
    await stranger.sees(GONE)
    expect(await stranger.one('link', 'Download your data').count()).toBe(0)
  })

  test('a failed or refused export shows why, and can be requested again', async () => {
    const ana = await shop.signUp('ana')
    await prepare(ana)
    const there = await visit(shop, mode, { signedInAs: ana, expects: [/status of 4(29|04)/] })
    // Two tabs: the other one requested it today, and then it expired.
    await set(ana, `expires_at = now()`)
    await daysPass(ana, 1)
    await there.go(page)
    await ana.post('/api/account/data')
    await eventually(() => stateOf(ana)).toBe('ready')
    await set(ana, `expires_at = now()`)
    await there.press('button', 'Prepare your data')
    await there.page
      .getByText(/^You have asked for your data today\. You can ask again after [\d-]+ 00:00 UTC$/)
      .waitFor()
    await set(
      ana,
      `made_at = null, folder = null, bytes = null, failed_at = now(), expires_at = now() + '1 day'`,
    )
    await daysPass(ana, 2)
    await there.go(page)
    await status(there, /^Your data could not be prepared\./)
    await there.press('button', 'Prepare your data')
    await status(there, /^Your data is (being prepared|ready)/)
    await eventually(() => stateOf(ana)).toBe('ready')
  })
})

test('each state is open to everybody, and fits', async () => {
  const ana = await shop.signUp('ana')
  const goOn = await holdUp()
  const there = await visit(shop, 'with scripts', { signedInAs: ana, expects: [/status of 404/] })
  const shows = async (path: string, words: RegExp) => {
    await there.go(path)
    await there.page.getByText(words).waitFor()
    await expectOpen(there.page)
    await expectFits(there.page)
  }
  await shows(page, /^It is prepared for you/)
  await ana.post('/api/account/data')
  await shows(page, PREPARED)
  await goOn()
  await eventually(() => stateOf(ana)).toBe('ready')
  await shows(page, READY)
  await shows(`${page}?archive=none`, /^This link leads to nothing/)
  await set(ana, 'made_at = null, folder = null, bytes = null, failed_at = now()')
  await shows(page, /^Your data could not be prepared\./)
})

test('a session that ends while the data is prepared loses nothing that was typed', async () => {
  const ana = await shop.signUp('ana')
  const goOn = await holdUp()
  const there = await visit(shop, 'with scripts', { signedInAs: ana, expects: [/status of 401/] })
  await ana.post('/api/account/data')
  await there.go(page)
  await status(there, PREPARED)
  await there.fill('First Name', 'Alberta')
  const looked = there.page.waitForResponse(
    response => response.url().endsWith('/api/account/data') && response.status() === 401,
  )
  await there.page.context().clearCookies()
  await looked
  expect(there.path).toBe(page)
  expect(await there.valueOf('First Name')).toBe('Alberta')
  await goOn()
})
