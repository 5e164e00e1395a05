import { withShop } from '../support/harness.ts'
import { openForm, send } from '../support/resilience/forms.ts'
import { Faults, type Scenario } from '../support/scenario.ts'

export const scenario: Scenario = {
  risk: 'stale edit',
  promise: 'load the form at stock 10, sell 3, save the description: stock 7 or 409, never 10',
  run: () =>
    withShop({}, async shop => {
      const faults = new Faults()
      const [seller, buyer] = [await shop.signUp('seller'), await shop.signUp('buyer')]
      const sell = async (id: number, quantity: number) => {
        await buyer.post(`/api/cart_items/add/${id}`, { quantity })
        await buyer.post('/api/orders/checkout')
      }
      const mug = await shop.list(seller, { stock: 10 })
      const path = `/products/${mug.id}/edit`
      const form = await openForm(seller, path, 'Update listing')
      await sell(mug.id, 3)
      form.fields.description = 'Other words.'
      const saved = await send(seller, form)
      const after = (await seller.get(`/api/products/${mug.id}`)).body
      faults.expect(
        saved.status === 303 && after.description === 'Other words.',
        `saving was answered ${saved.status}`,
      )
      faults.expect(after.stock === 7, `stock ${after.stock}`)
      const more = await openForm(seller, path, 'Update listing')
      more.fields.stock = '9'
      await Promise.all([send(seller, more), send(seller, more)])
      const once = await shop.stockOf(mug.id)
      faults.expect(once === 9, `two pieces more, sent twice: stock ${once}`)
      more.fields.stock = '7'
      await send(seller, more)
      const stale = await openForm(seller, path, 'Update listing')
      await sell(mug.id, 6)
      stale.fields.stock = '2'
      const refused = await send(seller, stale)
      const left = await shop.stockOf(mug.id)
      faults.expect(
        refused.status === 409 && left === 1,
        `fewer than were sold: ${refused.status}, stock ${left}`,
      )
      faults.expect(
        String(refused.body).includes('Some were sold meanwhile: 1 left in stock'),
        'no message about the change',
      )
      return faults.outcome(
        `stock ${after.stock} with the new description; two units added, sent twice: stock ${once}; removing more than is left: 409, stock ${left}`,
      )
    }),
}
