import type { Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { describe, type ExpectStatic, expect } from 'vitest'
import type { Person, TestShop } from '../shop.ts'
import { cookieOf, go, openPage, PATIENCE, type PageOptions, settled } from './browser.ts'

/** How a person gets around in the shop. */
type Mode = 'with scripts' | 'without scripts' | 'by keyboard'
const modes: Mode[] = ['with scripts', 'without scripts', 'by keyboard']

/** The same journey for everybody: with scripts, without them, and by keyboard alone. */
export const everyWay = (tests: (mode: Mode) => void): void => describe.each(modes)('%s', tests)

/** What a page comes to say sooner or later. */
export const eventually = <T>(look: () => T | Promise<T>): ReturnType<ExpectStatic['poll']> =>
  expect.poll(look, { timeout: PATIENCE })

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

/** What a person does and sees on a page, in whichever way they get around. */
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
  /** The two in the header whose names tell more: 'Cart, 3 items', 'Profile, AW'. */
  get cart(): Locator {
    return this.page.getByRole('link', { name: /^Cart, / })
  }
  get profile(): Locator {
    return this.page.getByLabel(/^Profile/)
  }
  text = (text: string): Locator => this.page.getByText(text, { exact: true })
  /** A control by its label; the label may stand around it. */
  field = (label: string): Locator =>
    this.page
      .getByLabel(label, { exact: true })
      .or(this.page.getByRole('combobox', { name: label, exact: true }))

  /** Waits until a text stands on the page. */
  sees = (text: string): Promise<void> => this.text(text).first().waitFor()
  /** Waits until a text is gone from the page. */
  missing = (text: string): Promise<void> => eventually(() => this.text(text).count()).toBe(0)
  heading = (name: string): Promise<void> => this.one('heading', name).waitFor()

  /** A link or a button: clicked, or reached with Tab and pressed with Enter. */
  async press(role: 'link' | 'button', name: string): Promise<void> {
    await this.pressThis(this.one(role, name))
  }

  async pressThis(target: Locator): Promise<void> {
    if (this.mode !== 'by keyboard') return target.click()
    await this.tabTo(target)
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
    for (let tries = 0; tries < options.length; tries++) {
      const at = await select.evaluate(element => (element as HTMLSelectElement).selectedIndex)
      if (at === to) return
      await this.page.keyboard.press(at < to ? 'ArrowDown' : 'ArrowUp')
    }
    expect(await this.valueOf(label)).toBe(option)
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

  /** Opens the menu behind the person in the header. */
  openMenu = (): Promise<void> => this.pressThis(this.profile)
  openCart = (): Promise<void> => this.pressThis(this.cart)

  /** Presses Tab until the target has the focus. Everything that can be used must be reached that way. */
  async tabTo(target: Locator): Promise<void> {
    await target.waitFor()
    for (let presses = 0; presses < 120; presses++) {
      if (await target.evaluate(element => element === document.activeElement)) return
      await this.page.keyboard.press('Tab')
    }
    throw new Error(`Tab never reached ${target}`)
  }

  /** The message of a field: part of what the field is described by. */
  async describes(label: string, message: string): Promise<void> {
    await eventually(() => this.descriptionsOf(label)).toContain(message)
  }

  async descriptionsOf(label: string): Promise<(string | null)[]> {
    const ids = (await this.field(label).getAttribute('aria-describedby'))?.split(' ') ?? []
    return Promise.all(ids.map(id => this.page.locator(`[id="${id}"]`).textContent()))
  }

  /** Where the page is, without the shop's address. */
  get path(): string {
    const { pathname, search } = new URL(this.page.url())
    return pathname + search
  }

  /** Without scripts a flash message may stand behind the address; test/integration/redirects.test.ts says which. */
  async arrives(path: string): Promise<void> {
    await eventually(() => (this.scripted ? this.path : this.path.replace(/\?done=\w+$/, ''))).toBe(path)
    await settled(this.page)
  }

  /** A dialog with scripts, a page of its own without them. */
  async asked(question: string): Promise<void> {
    if (this.scripted) await this.page.getByRole('dialog', { name: question, exact: true }).waitFor()
    else await this.page.getByRole('heading', { name: question, exact: true, level: 1 }).waitFor()
  }
}

export async function visit(
  shop: TestShop,
  mode: Mode,
  options: Omit<PageOptions, 'scripts'> = {},
): Promise<Visit> {
  return new Visit(await openPage(shop, { ...options, scripts: mode !== 'without scripts' }), mode)
}

/** Gives the browser somebody's session. */
export async function signIn(there: Visit, person: Person): Promise<void> {
  await there.page.context().addCookies([cookieOf(person, new URL(there.page.url()).origin)])
}

interface Attachment {
  name: string
  mimeType: string
  buffer: Buffer
}

/** A small real picture. */
export async function picture(name = 'mug.png'): Promise<Attachment> {
  const background = { r: 178, g: 94, b: 60 }
  const buffer = await sharp({ create: { width: 80, height: 60, channels: 3, background } })
    .png()
    .toBuffer()
  return { name, mimeType: 'image/png', buffer }
}

/** Called a picture, and none. */
export const brokenPicture: Attachment = {
  name: 'broken.png',
  mimeType: 'image/png',
  buffer: Buffer.from('not a picture'),
}

/** Holds something back until it is opened: `await gate.opened` elsewhere. */
export function gate(): { open: () => void; opened: Promise<void> } {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { open: resolve, opened: promise }
}
