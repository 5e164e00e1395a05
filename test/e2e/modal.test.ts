import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { build } from 'vite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPage } from '../support/browser/browser.ts'
import { openShop, type TestShop } from '../support/shop.ts'

const root = join(import.meta.dirname, '../..')

/** A page with only the modal: its title counts the calls of `onClose`. */
const harness = `
import { createElement, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { MemoryRouter } from 'react-router'
import { ModalProvider, useModal } from '${root}/src/ui/Dialog.tsx'

let closed = 0
function Opener() {
  const modal = useModal()
  const closeTwice = () => { modal.close(); modal.close() }
  const content = createElement('button', { onClick: closeTwice }, 'Close from inside')
  const onClose = () => { document.title = String(++closed) }
  const opening = more => () => modal.open({ title: 'A modal', content, ...more })
  return [
    createElement('button', { key: 1, onClick: opening({ onClose }) }, 'Open'),
    createElement('button', { key: 2, onClick: opening({}) }, 'Open without callback'),
  ]
}
createRoot(document.body).render(
  createElement(StrictMode, null,
    createElement(MemoryRouter, null, createElement(ModalProvider, null, createElement(Opener)))),
)
`

let shop: TestShop
let script = ''
beforeAll(async () => {
  shop = await openShop()
  const virtual = {
    name: 'harness',
    resolveId: (id: string) => (id === 'harness.js' ? join(root, 'harness.js') : null),
    load: (id: string) => (id === join(root, 'harness.js') ? harness : null),
  }
  const built = await build({
    root,
    configFile: false,
    logLevel: 'silent',
    plugins: [virtual],
    build: { write: false, rolldownOptions: { input: 'harness.js' } },
  })
  const [bundle] = [built].flat()
  if (!bundle || !('output' in bundle)) throw new Error('nothing was built')
  script = bundle.output.find(part => part.type === 'chunk')?.code ?? ''
})
afterAll(() => shop.close())

async function opened(button: string): Promise<Page> {
  const page = await openPage(shop)
  const body = `<!doctype html><html lang="en"><title>0</title><body></body><script type="module">${script}</script>`
  await page.route('**/modal', route => route.fulfill({ contentType: 'text/html', body }))
  await page.goto('/modal')
  await page.getByRole('button', { name: button, exact: true }).click()
  await page.getByRole('dialog', { name: 'A modal' }).waitFor()
  return page
}

const closings: [string, (page: Page) => Promise<unknown>][] = [
  ['its button', page => page.getByRole('button', { name: 'Close', exact: true }).click()],
  ['Escape', page => page.keyboard.press('Escape')],
  ['Escape pressed again', page => page.keyboard.press('Escape').then(() => page.keyboard.press('Escape'))],
  ['a click beside it', page => page.mouse.click(3, 3)],
  ['Back', page => page.goBack()],
  ['its content, twice', page => page.getByRole('button', { name: 'Close from inside' }).click()],
]

test.each(closings)('closed by %s, the modal runs its callback once', async (_, close) => {
  const page = await opened('Open')
  await close(page)
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  expect(await page.title()).toBe('1')
  await page.getByRole('button', { name: 'Open', exact: true }).click()
  await page.getByRole('dialog').waitFor()
  await close(page)
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  expect(await page.title()).toBe('2')
})

test.each(closings)('closed by %s, the modal needs no callback', async (_, close) => {
  const page = await opened('Open without callback')
  await close(page)
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  expect(await page.title()).toBe('0')
})

test('selecting a text from within the modal to outside does not close it', async () => {
  const page = await opened('Open')
  await page.getByRole('button', { name: 'Close from inside' }).hover()
  await page.mouse.down()
  await page.mouse.move(3, 3)
  await page.mouse.up()
  // A press beside it closes it, so that the click before was answered.
  await page.mouse.move(4, 4)
  expect(await page.title()).toBe('0')
  await page.mouse.click(3, 3)
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  expect(await page.title()).toBe('1')
})
