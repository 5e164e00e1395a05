import { expect } from 'vitest'
import { type Case, type EarlyShop, focused } from './early.ts'
import { picture, type Visit } from './steps.ts'

// The rows of combinations come when variations are typed.
const CONTROLS =
  'main :is(input:not([type=hidden], [type=file], #search-page), textarea, select):not([name^=combination_])'
/** Field values of a page. */
const values = ({ page }: Visit) =>
  page.locator(CONTROLS).evaluateAll(all => all.map(each => (each as HTMLInputElement).value))
/** Field values that each page was left with. */
const filled = new WeakMap<Visit, string[]>()

/** Fills every field and chooses in every list, also if it has a value. */
async function fillAll(there: Visit): Promise<void> {
  // The page is streamed: at its end all fields are there.
  await there.page.locator('footer').first().waitFor()
  // Without its styles, what they hide counts as visible.
  await there.page.waitForFunction(() =>
    [...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')].every(({ sheet }) => sheet),
  )
  // An outer one is before those in it.
  for (const summary of await there.page.locator('main details > summary').all()) {
    // The filters beside a list are in sight, without a button.
    const isClosed =
      (await summary.isVisible()) && (await summary.evaluate(element => !element.closest('details')?.open))
    if (isClosed) await summary.click()
  }
  for (const control of await there.page.locator(CONTROLS).all()) {
    const kind = await control.evaluate(element => element.getAttribute('type') ?? element.tagName)
    if (kind === 'SELECT') {
      const [at, options] = await control.evaluate(element => {
        const { selectedIndex, options } = element as HTMLSelectElement
        return [selectedIndex, options.length] as const
      })
      // Of one option there is nothing to choose.
      if (options > 1) await control.selectOption({ index: at === 1 ? 2 : 1 })
    } else if (kind === 'number') await control.fill('7')
    else if (kind === 'checkbox') await control.check()
    else await control.fill(`${await control.inputValue()} early`)
  }
  filled.set(there, await values(there))
  expect(filled.get(there)?.length).toBeGreaterThan(0)
}
const expectUnchanged = async (there: Visit) => expect(await values(there)).toEqual(filled.get(there))
const fields = (path: Case['path'], viewer?: Case['viewer']): Case => ({
  path,
  ...(viewer ? { viewer } : {}),
  does: fillAll,
  expects: expectUnchanged,
})

/** Fields that are filled in early. */
export const fieldCases = ({
  maker,
  mug,
  vase,
  review,
  shopper,
  owner,
}: EarlyShop): Record<string, Case> => ({
  'the fields of the landing page': fields('/'),
  'the fields of a search': fields('/search?q=bowl'),
  'the fields of a category': fields('/categories/home-living?q=bowl&min=1'),
  'the fields of a maker’s page': fields(() => `/shops/${maker.user.username}`),
  'the fields of a login': fields('/login'),
  'the fields of a signup': fields('/signup'),
  'the fields of a piece': fields(() => `/products/${mug}`),
  'the fields of a new listing': fields('/products/new', shopper),
  'the fields of a listing': fields(() => `/products/${vase}/edit`, owner),
  'the fields of a new review': fields(() => `/products/${mug}/create-review`, shopper),
  'the fields of a review': fields(
    () => `/products/${mug}/edit-review`,
    async () => {
      const person = await shopper()
      await person.post(`/api/reviews/${mug}/create-review`, { review: 'Holds tea.', stars: 3 })
      return person
    },
  ),
  'the fields of a reply': fields(() => `/products/${vase}/reply?review=${review}`, owner),
  'the fields of a shop page': fields('/settings/shop', owner),
  'the fields of photo and policies': fields('/settings/policies', owner),
  'the fields of the security page': fields('/settings/security', shopper),

  'words in the middle of a text': {
    path: () => `/products/${vase}/edit`,
    viewer: owner,
    async does({ page }) {
      const text = page.getByLabel('Description')
      await text.focus()
      await text.evaluate(element => (element as HTMLTextAreaElement).setSelectionRange(0, 0))
      await page.keyboard.type('Fired twice. ')
    },
    async expects({ page }) {
      await page.keyboard.type('Glazed. ')
      expect(await page.getByLabel('Description').inputValue()).toMatch(/^Fired twice\. Glazed\. \w/)
    },
  },

  'a login that is corrected': {
    path: '/login?next=%2Ffavourites',
    async does(there) {
      await there.fill('Email', 'nobody@example.com')
      await there.fill('Password', 'wrong-one')
      await there.press('button', 'Log In')
      await there.page.locator('main .error').first().waitFor()
      await there.field('Password').focus()
      await there.page.keyboard.type('sec')
    },
    async expects(there) {
      await there.page.keyboard.type('ret-1')
      expect(await focused(there.page)).toBe('password')
      expect(await there.valueOf('Password')).toBe('secret-1')
      await there.fill('Email', maker.user.email)
      await there.page.locator('main').getByRole('button', { name: 'Log In' }).click()
      await there.page.waitForURL('**/favourites')
    },
  },
  'a signup that is corrected': {
    path: '/signup?next=%2Ffavourites',
    async does(there) {
      const name = { Email: 'not one', 'First Name': 'Vera', 'Last Name': 'Potter', Username: 'x' }
      const words = { ...name, Password: 'secret-1', 'Confirm Password': 'secret-2' }
      for (const [label, text] of Object.entries(words)) await there.fill(label, text)
      await there.press('button', 'Sign Up')
      await there.page.locator('main .error').first().waitFor()
      expect(await there.valueOf('First Name')).toBe('Vera')
      await there.field('Username').focus()
      await there.page.keyboard.press('End')
      await there.page.keyboard.type('yz')
    },
    async expects(there) {
      await there.page.keyboard.type('abc')
      expect(await there.valueOf('Username')).toBe('xyzabc')
      expect(there.path).toBe('/signup?next=%2Ffavourites')
    },
  },
  'variations of a new listing': {
    path: '/products/new',
    viewer: shopper,
    async does({ page }) {
      await page.locator('[name=price]').fill('20')
      await page.locator('summary', { hasText: 'Variations' }).click()
      await page.locator('[name=variation_1]').fill('Size')
      await page.locator('[name=variation_1_options]').fill('Small\nLarge')
    },
    async expects({ page }, _person, isScripted) {
      if (isScripted) expect(await page.getByLabel('Price of Large').inputValue()).toBe('20.00')
      expect(await page.locator('[name=variation_1_options]').inputValue()).toBe('Small\nLarge')
    },
  },
  'a question of a new listing': {
    path: '/products/new',
    viewer: shopper,
    async does({ page }) {
      await page.locator('summary', { hasText: 'Personalisation' }).click()
      await page.locator('[name=question_1]').fill('Which wood?')
    },
    async expects({ page }) {
      const typed = page.locator('[name=question_1]')
      await typed.waitFor({ state: 'visible' })
      expect(await typed.inputValue()).toBe('Which wood?')
    },
  },
  'a new listing with a mistake': {
    path: '/products/new',
    viewer: shopper,
    async does(there) {
      await there.fill('Name', 'Sage bowl')
      await there.pick('Photos and video', await picture())
      await there.press('button', 'Add a listing')
      await there.describes('Photos and video', 'Please choose your photo again')
      await there.fill('Description', 'Holds soup.')
    },
    async expects(there, _, scripts) {
      await there.describes('Photos and video', 'Please choose your photo again')
      expect(await there.valueOf('Name')).toBe('Sage bowl')
      expect(await there.valueOf('Description')).toBe('Holds soup.')
      expect(await there.page.getByText('What shoppers will see').isVisible()).toBe(scripts)
    },
  },
})
