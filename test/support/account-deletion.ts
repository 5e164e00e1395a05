import type { Person, Shop, TestResponse } from './person.ts'

/** Deletes a user's account. Their reviews stay, unless they are removed too. */
export const leave = (
  person: Person,
  reviews = 'keep',
  current_password = person.password,
): Promise<TestResponse> => person.post('/api/account/deletion', { current_password, reviews })

/** Reviews a listing with four stars. */
export const review = (person: Person, { id }: { id: number }): Promise<TestResponse> =>
  person.post(`/api/reviews/${id}/create-review`, { review: 'Lovely glaze.', stars: 4 })

/** The reviews of a listing, as everybody sees them. */
export const reviewsOf = async (shop: Shop, { id }: { id: number }): Promise<TestResponse['body']> =>
  (await shop.visitor().get(`/api/reviews/${id}/reviews`)).body
