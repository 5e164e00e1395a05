import { expect } from 'vitest'
import type { Person } from '../shop.ts'
import { type Case, type EarlyShop, focused, stayed, watch } from './early.ts'
import { eventually } from './steps.ts'

const inCart = async (person: Person): Promise<number[]> =>
  (await person.get(`/api/cart_items/${person.user.id}`)).body.cart_items.map(
    ({ quantity }: { quantity: number }) => quantity,
  )

/** Actions that are taken early. */
export const actionCases = ({ shop, mug, vase, shopper, withMug }: EarlyShop): Record<string, Case> => ({
  'adding to the cart, then a reload': {
    path: () => `/products/${mug}`,
    viewer: shopper,
    async does(there) {
      await there.choose('Quantity', '2')
      await there.press('button', 'Add to cart')
      await there.sees('Item added to cart!')
      await watch(there.page, 'Item added to cart!')
    },
    async expects(there, person, scripts) {
      // It disappears some seconds after hydration, not because of it.
      expect(await stayed(there.page)).toBeGreaterThan(1_000)
      await there.page.reload({ waitUntil: 'commit' })
      await there.heading('Speckled mug')
      expect(await inCart(person!)).toEqual([2])
      if (!scripts) return
      expect(there.path).toBe(`/products/${mug}`)
      expect(await there.text('Item added to cart!').count()).toBe(0)
    },
  },
  'a visitor who adds to the cart, fails to log in, and then does': {
    path: () => `/products/${mug}`,
    async does(there) {
      await there.choose('Quantity', '3')
      await there.press('button', 'Add to cart')
      await there.sees('Please login to add items to cart.')
      await there.page.locator('main').getByRole('link', { name: 'Log In' }).click()
      const person = await shopper()
      await there.fill('Email', person.user.email)
      await there.fill('Password', 'wrong-one')
      await there.press('button', 'Log In')
      await there.page.locator('main .error').first().waitFor()
      await there.fill('Password', person.password)
      await there.press('button', 'Log In')
      await there.sees('Item added to cart!')
      expect(await inCart(person)).toEqual([3])
    },
  },
  'a quantity in the cart, then the checkout': {
    path: '/cart',
    viewer: withMug,
    async does(there) {
      await there.choose('Quantity of Speckled mug', '3')
      await there.press('button', 'Proceed to checkout')
      await there.heading('Review Your Order')
    },
    async expects(there, person) {
      await there.sees('3 × Speckled mug')
      await there.sees('Total Price: $30.00')
      expect(await inCart(person!)).toEqual([3])
    },
  },
  'a quantity in the cart, by its button': {
    path: '/cart',
    viewer: withMug,
    async does(there) {
      await there.choose('Quantity of Speckled mug', '2')
      await there.press('button', 'Update')
      await there.sees('Total Price: $20.00')
    },
    async expects(there, person, scripts) {
      expect(await there.valueOf('Quantity of Speckled mug')).toBe('2')
      expect(await inCart(person!)).toEqual([2])
      // The button stays while it is needed.
      await eventually(() => there.text('Update').isVisible()).toBe(!scripts)
    },
  },
  'a line that is removed from the cart': {
    path: '/cart',
    viewer: withMug,
    async does(there) {
      await there.press('button', 'Remove Speckled mug')
      await there.sees('Item was removed from your cart')
    },
    async expects(there, person) {
      await there.sees('Your cart is empty')
      expect(await inCart(person!)).toEqual([])
    },
  },
  'an order that is placed and cancelled': {
    path: '/cart?checkout=yes',
    viewer: withMug,
    async does(there) {
      await there.press('button', 'Yes (place order)')
      await there.heading('Your Orders')
      await there.page.getByRole('button', { name: /^Cancel Order/ }).click()
      await there.heading('Are you sure you want to cancel?')
      await there.press('button', 'Yes')
    },
    expects: there => there.sees('No orders'),
  },

  'a search that begins at once': {
    path: '/',
    async does({ page }) {
      await page.locator('#search-header').focus()
      await page.keyboard.type('speck')
    },
    async expects({ page }, _, scripts) {
      expect(await focused(page)).toBe('q')
      if (scripts) await page.getByRole('option', { name: 'Speckled mug' }).waitFor()
      else {
        await page.keyboard.press('Enter')
        await page.getByRole('heading', { name: /speck/ }).waitFor()
      }
    },
  },
  'the menu behind the person': {
    path: '/',
    viewer: shopper,
    async does(there) {
      await there.openMenu()
      await there.tabTo(there.one('link', 'Your Listings'))
    },
    async expects(there) {
      const listings = there.one('link', 'Your Listings')
      expect(await listings.isVisible()).toBe(true)
      expect(await listings.evaluate(link => link === document.activeElement)).toBe(true)
    },
  },
  'a photo that is enlarged, and left again': {
    path: () => `/products/${mug}`,
    async does(there) {
      await there.press('link', 'Enlarge the photo of Speckled mug')
      await there.page.waitForURL('**large=yes', { waitUntil: 'commit' })
      await there.one('img', 'Speckled mug').waitFor()
    },
    async expects(there) {
      await there.press('link', 'Back to the piece')
      await there.one('button', 'Add to cart').waitFor()
      expect(there.path).toBe(`/products/${mug}?photo=1`)
    },
  },
  'a heart far down a page': {
    path: '/',
    viewer: shopper,
    async does(there) {
      const heart = there.one('button', 'Save Bowl 1')
      await heart.scrollIntoViewIfNeeded()
      await heart.click()
      await there.page.locator('button[aria-label="Save Bowl 1"][aria-pressed=true]').waitFor()
    },
    async expects(there) {
      await eventually(() => there.page.evaluate(() => scrollY)).toBeGreaterThan(300)
      const box = await there.one('button', 'Save Bowl 1').boundingBox()
      expect(box!.y).toBeGreaterThan(0)
      expect(box!.y).toBeLessThan(800)
    },
  },
  'a listing that is deleted': {
    path: '/your-listings',
    async viewer() {
      const person = await shop.signUp('seller')
      await shop.list(person, { name: 'Old pot' })
      return person
    },
    async does(there) {
      await there.press('button', 'Delete Old pot')
      await there.heading('Confirm Delete')
      await there.press('button', 'Yes (Delete Product)')
    },
    expects: there => there.sees('No listings found.'),
  },
  'a review that is left and deleted': {
    path: () => `/products/${vase}/create-review`,
    viewer: shopper,
    async does(there) {
      await there.choose('Stars', '5')
      await there.fill('What did you think of this product?', 'Holds roses.')
      await there.press('button', 'Leave Review')
      await there.sees('Holds roses.')
      await there.press('button', 'Delete Review')
      await there.heading('Are you sure you want to delete?')
      await there.press('button', 'Yes')
    },
    expects: there => there.sees('You have not left a review yet'),
  },
  'a device that is logged out': {
    path: '/settings/security',
    async viewer() {
      const person = await shopper()
      await shop.visitor().post('/api/auth/login', { email: person.user.email, password: person.password })
      return person
    },
    async does({ page }) {
      await page.getByRole('button', { name: /^Log out .* in since/ }).click()
    },
    expects: there => there.sees('That device is logged out'),
  },
})
