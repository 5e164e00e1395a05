import { withShop } from '../support/harness.ts'
import { formWith, openForm, send } from '../support/resilience/forms.ts'
import { Faults, type Scenario } from '../support/scenario.ts'

const ROUNDS = 20
const YES = 'Yes (place order)'
const REVIEW = '/cart?checkout=yes'

export const scenario: Scenario = {
  risk: 'price or listing changed in the cart',
  promise:
    'raise the price between the checkout dialog and Yes: 409 with the new total, no order; orders keep name and price',
  run: () =>
    withShop({}, async shop => {
      const faults = new Faults()
      const [seller, buyer] = [await shop.signUp('seller'), await shop.signUp('buyer')]
      for (let round = 0; round < ROUNDS; round++) {
        const mug = await shop.list(seller, { price: 10, stock: 5 })
        await buyer.post(`/api/cart_items/add/${mug.id}`, { quantity: 2 })
        const review = await openForm(buyer, REVIEW, YES)
        const ordersBefore = (await buyer.get('/api/orders/')).body.length
        await seller.put(`/api/products/${mug.id}`, { ...mug, price: 12.5 })
        const refused = await send(buyer, review)
        const ordersAfter = (await buyer.get('/api/orders/')).body.length
        faults.expect(refused.status === 409, `Yes was answered ${refused.status}`)
        faults.expect(
          String(refused.body).includes('The total is now $25.00 instead of $20.00'),
          'the new total is not shown',
        )
        faults.expect(String(refused.body).includes('Total Price: $25.00'), 'the new total is not shown')
        faults.expect(ordersAfter === ordersBefore, 'ordered at a price that was not shown')
        const placed = await send(buyer, formWith(YES, String(refused.body), REVIEW))
        faults.expect(placed.status === 303, `the second Yes was answered ${placed.status}`)
        await seller.put(`/api/products/${mug.id}`, { ...mug, name: 'Dear mug', price: 99 })
        const [order] = (await buyer.get('/api/orders/')).body
        faults.expect(
          order.total === 25 && order.products_ordered[0].name === mug.name,
          'the order changed with the listing',
        )
      }
      return faults.outcome(
        `${ROUNDS} times: 409 with the new total in message and form, no order; once confirmed, the order has it, and keeps name and price`,
      )
    }),
}
