import { withShop } from '../support/harness.ts'
import { openForm, send } from '../support/resilience/forms.ts'
import { Faults, type Scenario } from '../support/scenario.ts'

export const scenario: Scenario = {
  risk: 'session ends in checkout',
  promise: 'revoke, confirm, log in, confirm: 401 with the cart intact, then one order',
  run: () =>
    withShop({}, async shop => {
      const faults = new Faults()
      const buyer = await shop.signUp('buyer')
      const { id } = await shop.list(await shop.signUp('seller'))
      await buyer.post(`/api/cart_items/add/${id}`, { quantity: 2 })
      const review = await openForm(buyer, '/cart?checkout=yes', 'Yes (place order)')
      await shop.rows(`delete from sessions where user_id = ${buyer.user.id}`)
      const call = await buyer.post('/api/orders/checkout', undefined, {
        'idempotency-key': review.fields.key ?? '',
      })
      faults.expect(call.status === 401, `the call was answered ${call.status}`)
      const page = await send(buyer, review)
      const leads = String(page.headers.location)
      faults.expect(leads === '/login?next=%2Fcart%3Fcheckout%3Dyes', `the page led to ${leads}`)
      const login = await openForm(buyer, leads, 'Password')
      Object.assign(login.fields, { email: buyer.user.email, password: buyer.password })
      // The form's address has `next`.
      const back = await send(buyer, { ...login, action: leads })
      faults.expect(back.headers.location === '/cart?checkout=yes', `login led to ${back.headers.location}`)
      const again = await openForm(buyer, '/cart?checkout=yes', 'Yes (place order)')
      faults.expect(again.fields.items === `${id}x2`, `the cart holds ${again.fields.items}`)
      const placed = [await send(buyer, again), await send(buyer, again)]
      const orders = (await buyer.get('/api/orders/')).body.length
      faults.expect(orders === 1 && placed.every(({ status }) => status === 303), `${orders} orders`)
      return faults.outcome(
        `401 for the call, redirects to the login and back for the page, the cart unchanged, then ${orders} order`,
      )
    }),
}
