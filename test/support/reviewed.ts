import type { TestShop } from './shop.ts'

/** A listing with somebody else's review. */
export async function reviewed(shop: TestShop) {
  const seller = await shop.signUp('seller')
  const other = await shop.signUp('other')
  const author = await shop.signUp('author')
  const mug = await shop.list(seller)
  const post = (review: string, stars: number) => ({ review, stars })
  const write = `/api/reviews/${mug.id}/create-review`
  const earlier = await other.post(write, post('Somebody else was here.', 2))
  await shop.db
    .updateTable('reviews')
    .set({ created_at: new Date('2025-03-14T23:59:59Z') })
    .where('id', '=', earlier.body.id)
    .execute()
  return {
    author,
    other,
    name: mug.name,
    path: `/products/${mug.id}`,
    write: () => author.post(write, post('A fine mug.', 4)),
    remove: () => author.delete(`/api/reviews/${mug.id}/delete-review`),
  }
}
