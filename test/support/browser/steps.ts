import type { Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { describe, type ExpectStatic, expect } from 'vitest'
import type { Person, TestShop } from '../shop.ts'
import { cookiesOf, go, openPage, type PageOptions, settled, TIMEOUT_MS } from './browser.ts'

/** How a user operates the shop. */
type Mode = 'with scripts' | 'without scripts' | 'by keyboard'
const modes: Mode[] = ['with scripts', 'without scripts', 'by keyboard']

/** Runs the same tests with scripts, without them, and by keyboard alone. */
export const inEachMode = (tests: (mode: Mode) => void): void => describe.each(modes)('%s', tests)

/** Waits for content. */
export const eventually = <T>(read: () => T | Promise<T>): ReturnType<ExpectStatic['poll']> =>
  expect.poll(read, { timeout: TIMEOUT_MS })

type Role =
  | 'link'
  | 'button'
  | 'heading'
  | 'dialog'
  | 'alert'
  | 'status'
  | 'img'
  | 'list'
  | 'option'
  | 'combobox'
  | 'listitem'

/** Actions and checks on a page, in each mode. */
export class Visit {
  readonly page: Page
  readonly mode: Mode

  constructor(page: Page, mode: Mode) {
    this.page = page
    this.mode = mode
  }

  get scripted(): boolean {
    return this.mode !== 'without scripts'
  }

  go = (path: string): Promise<number> => go(this.page, path)

  one = (role: Role, name: string): Locator => this.page.getByRole(role, { name, exact: true })
  /** The two of the header with longer names: 'Cart, 3 items', 'Profile, AW'. */
  get cart(): Locator {
    return this.page.getByRole('link', { name: /^Cart, / })
  }
  get profile(): Locator {
    return this.page.getByLabel(/^Profile/)
  }
  text = (text: string): Locator => this.page.getByText(text, { exact: true })
  /** A control by its label. */
  field = (label: string): Locator =>
    this.page
      .getByLabel(label, { exact: true })
      .or(this.page.getByRole('combobox', { name: label, exact: true }))

  /** Waits until a text is on the page. */
  sees = (text: string): Promise<void> => this.text(text).first().waitFor()
  /** Waits until a text is not on the page any more. */
  missing = (text: string): Promise<void> => eventually(() => this.text(text).count()).toBe(0)
  heading = (name: string): Promise<void> => this.one('heading', name).waitFor()

  /** A link or a button: clicked, or reached with Tab and pressed with Enter. */
  async press(role: 'link' | 'button', name: string): Promise<void> {
    await this.pressThis(this.one(role, name))
  }

  async pressThis(target: Locator): Promise<void> {
    if (this.mode !== 'by keyboard') return target.click()
    await this.tabTo(target)
    // As `click` does.
    await eventually(() => target.getAttribute('aria-disabled')).toBe(null)
    await this.page.keyboard.press('Enter')
  }

  async fill(label: string, text: string): Promise<void> {
    const field = this.field(label)
    if (this.mode !== 'by keyboard') return field.fill(text)
    await this.tabTo(field)
    await this.page.keyboard.press('ControlOrMeta+A')
    await this.page.keyboard.press('Delete')
    await this.page.keyboard.insertText(text)
  }

  /** Chooses an option of a select, by keyboard with the arrow keys. */
  async choose(label: string, option: string): Promise<void> {
    const select = this.field(label)
    if (this.mode !== 'by keyboard') {
      await select.selectOption({ label: option })
      return
    }
    await this.tabTo(select)
    const options = (await select.locator('option').allTextContents()).map(text => text.trim())
    const to = options.indexOf(option)
    // The shop may refuse a choice and take it back before it is checked. The event of the choice stays.
    const choices = await select.evaluateHandle((element: HTMLSelectElement) => {
      const indexes = [element.selectedIndex]
      element.addEventListener('change', () => indexes.push(element.selectedIndex), { capture: true })
      return indexes
    })
    const last = () => choices.evaluate(indexes => indexes.at(-1) ?? -1)
    for (let at = await last(), tries = 0; at !== to && tries < options.length; at = await last(), tries++) {
      await this.page.keyboard.press(at < to ? 'ArrowDown' : 'ArrowUp')
    }
    expect(await last()).toBe(to)
  }

  /** Ticks a box, or unticks it; by keyboard with the space bar. */
  async tick(label: string): Promise<void> {
    const box = this.field(label)
    if (this.mode !== 'by keyboard') return box.click()
    await this.tabTo(box)
    await this.page.keyboard.press('Space')
  }

  valueOf = (label: string): Promise<string> => this.field(label).inputValue()

  /** Picks a file in the field's dialog. */
  async pick(label: string, file: Attachment): Promise<void> {
    if (this.mode !== 'by keyboard') return this.field(label).setInputFiles(file)
    await this.tabTo(this.field(label))
    const [chooser] = await Promise.all([
      this.page.waitForEvent('filechooser'),
      this.page.keyboard.press('Enter'),
    ])
    await chooser.setFiles(file)
  }

  /** Opens the profile menu. */
  openMenu = (): Promise<void> => this.pressThis(this.profile)
  openCart = (): Promise<void> => this.pressThis(this.cart)

  /** Presses Tab until the target has the focus. Every control must be reached that way. */
  async tabTo(target: Locator): Promise<void> {
    await target.waitFor()
    // Found once: to find something by its role takes far longer than a press.
    let element = await target.elementHandle()
    for (let presses = 0; presses < 300; presses++) {
      const where = await element?.evaluate(found =>
        found === document.activeElement ? 'here' : found.isConnected ? 'elsewhere' : 'replaced',
      )
      if (where === 'here') return
      if (where === 'elsewhere') await this.page.keyboard.press('Tab')
      else element = await target.elementHandle()
    }
    throw new Error(`Tab never reached ${target}`)
  }

  /** Checks the message of a field in its aria-describedby. */
  async describes(label: string, message: string): Promise<void> {
    await eventually(() => this.descriptionsOf(label)).toContain(message)
  }

  async descriptionsOf(label: string): Promise<(string | null)[]> {
    const ids = (await this.field(label).getAttribute('aria-describedby'))?.split(' ') ?? []
    return Promise.all(ids.map(id => this.page.locator(`[id="${id}"]`).textContent()))
  }

  /** Path and query of the page. */
  get path(): string {
    const { pathname, search } = new URL(this.page.url())
    return pathname + search
  }

  /** Without scripts the address may have a flash message; test/integration/redirects.test.ts lists them. */
  async arrives(path: string): Promise<void> {
    await eventually(() => (this.scripted ? this.path : this.path.replace(/[?&]done=\w+$/, ''))).toBe(path)
    await settled(this.page)
  }

  /** A dialog with scripts, a page without. */
  async dialog(question: string): Promise<void> {
    if (this.scripted) await this.page.getByRole('dialog', { name: question, exact: true }).waitFor()
    else await this.page.getByRole('heading', { name: question, exact: true, level: 1 }).waitFor()
  }
}

/** Opens a page of the shop in this mode. @param options such as the signed-in user */
export async function visit(
  shop: Pick<TestShop, 'address'>,
  mode: Mode,
  options: Omit<PageOptions, 'scripts'> = {},
): Promise<Visit> {
  return new Visit(await openPage(shop, { ...options, scripts: mode !== 'without scripts' }), mode)
}

/** Sets a user's cookies. */
export async function signIn(there: Visit, person: Person): Promise<void> {
  await there.page.context().addCookies(cookiesOf(person, new URL(there.page.url()).origin))
}

interface Attachment {
  name: string
  mimeType: string
  buffer: Buffer
}

/** A small valid picture. */
export async function picture(name = 'mug.png'): Promise<Attachment> {
  const background = { r: 178, g: 94, b: 60 }
  const buffer = await sharp({ create: { width: 80, height: 60, channels: 3, background } })
    .png()
    .toBuffer()
  return { name, mimeType: 'image/png', buffer }
}

/** A file with a picture's name and other contents. */
export const brokenPicture: Attachment = {
  name: 'broken.png',
  mimeType: 'image/png',
  buffer: Buffer.from('not a picture'),
}

/** Delays something until it is opened: `await gate.opened` elsewhere. */
export function gate(): { open: () => void; opened: Promise<void> } {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { open: resolve, opened: promise }
}
