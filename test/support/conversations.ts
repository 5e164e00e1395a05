import type { Person, Shop, TestResponse } from './person.ts'

/** Path of the first message to a maker. */
export const toMaker = ({ user }: Person): string => `/api/messages/to/${encodeURIComponent(user.username)}`

/** A user writes to a maker without an order. @param key idempotency key */
export const ask = (
  person: Person,
  maker: Person,
  body: { text: string; listing?: number },
  key?: string,
): Promise<TestResponse> =>
  person.post(toMaker(maker), body, key === undefined ? {} : { 'idempotency-key': key })

/** Mila sells a mug, and Ana asks about it. @returns both, the mug, and the path of the conversation */
export async function asked(shop: Shop) {
  const [mila, ana] = [await shop.signUp('mila'), await shop.signUp('ana')]
  const mug = await shop.list(mila)
  const { body } = await ask(ana, mila, { text: 'Is it blue?', listing: mug.id })
  return { mila, ana, mug, id: body.conversation as number, path: `/api/messages/${body.conversation}` }
}
