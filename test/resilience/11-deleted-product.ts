import { withShop } from '../support/harness.ts'
import { each, Faults, type Scenario } from '../support/scenario.ts'
import { signUpMany } from './01-overselling.ts'

const PEOPLE = 50

export const scenario: Scenario = {
  risk: 'deleted product',
  promise: 'in 50 carts and 50 orders: history intact; the cart shows the specified text; checkout 409',
  run: () =>
    withShop({}, async shop => {
      const faults = new Faults()
      const seller = await shop.signUp('seller')
      const mug = await shop.list(seller, { stock: 500, price: 10 })
      const users = await signUpMany(shop, PEOPLE)
      const orders = new Map<number, string>()
      await each(users, 10, async person => {
        await person.post(`/api/cart_items/add/${mug.id}`, { quantity: 2 })
        await person.post('/api/orders/checkout')
        orders.set(person.user.id, JSON.stringify((await person.get('/api/orders/')).body))
        await person.post(`/api/cart_items/add/${mug.id}`, { quantity: 1 })
      })
      await seller.delete(`/api/products/${mug.id}`)
      await each(users, 10, async person => {
        const history = JSON.stringify((await person.get('/api/orders/')).body)
        faults.expect(history === orders.get(person.user.id), 'an order has changed')
        const page = String((await person.get('/orders/view', { accept: 'text/html' })).body)
        faults.expect(
          page.includes(mug.name) && page.includes('Total $20.00'),
          'the page of orders has lost it',
        )
        const cart = String((await person.get('/cart', { accept: 'text/html' })).body)
        faults.expect(cart.includes('Product details not available'), 'no message in the cart')
        const { status, body } = await person.post('/api/orders/checkout')
        faults.expect(
          status === 409 && body.message === `${mug.name} is no longer available`,
          `checkout: ${status}`,
        )
        faults.expect(
          (await person.get(`/api/cart_items/${person.user.id}`)).body.cart_items.length === 1,
          'the cart has changed',
        )
      })
      const status = (await shop.visitor().get(`/api/products/${mug.id}`)).status
      faults.expect(status === 404, `the listing answers ${status}`)
      return faults.outcome(
        `${PEOPLE} orders unchanged, ${PEOPLE} carts with “Product details not available”, ${PEOPLE} checkouts 409 with its name, its page ${status}`,
      )
    }),
}
