import * as z from 'zod/mini'
import { Done, defineCalls, Id, idempotent, Money, PathId } from '#contract'
import { Answer, NewAnswers } from '#products/questions-contract.ts'

/** Units of one line. */
export const MAX_QUANTITY = 30

/** Lines of a cart, and so of an order. */
export const MAX_LINES = 200

export const CartLine = z.object({
  id: Id,
  quantity: z.number(),
  /** The choice of its variations, and answers to its questions: with others it is another line. Missing: none. */
  answers: z.optional(z.array(Answer)),
  /** null if the listing was deleted. */
  product: z.nullable(
    z.object({
      id: Id,
      name: z.string(),
      price: Money,
      /** The price when it was added, if it has changed. */
      added_price: z.optional(Money),
      /** Of the combination, where the listing has variations. */
      stock: z.number(),
      /** That combination. */
      variant_id: z.optional(Id),
      /** Address of the first photo, null without one. */
      image_url: z.nullable(z.string()),
      /** That photo in all widths, for `srcset`; null without one. */
      image_srcset: z.nullable(z.string()),
      /** Why it cannot be ordered at present, though it is in stock. */
      refusal: z.optional(z.string()),
    }),
  ),
})
export type CartLine = z.infer<typeof CartLine>

const message = `Quantity must be a whole number from 1 to ${MAX_QUANTITY}`
const Quantity = z.object({
  quantity: z.int(message).check(z.minimum(1, message), z.maximum(MAX_QUANTITY, message)),
})

const one = z.object({ id: PathId })

export const calls = defineCalls({
  'GET /api/cart_items/:id': {
    summary: 'The cart of the session; its id is the user’s',
    params: one,
    response: z.object({ cart_items: z.array(CartLine) }),
  },
  'POST /api/cart_items/add/:productId': {
    summary: 'Add a listing to the cart, or raise its line: the one with the same answers',
    params: z.object({ productId: PathId }),
    headers: idempotent('A repeated key adds nothing, if no other add has changed the line since.'),
    body: z.extend(Quantity, { answers: z.optional(NewAnswers) }),
    response: CartLine,
    status: 201,
  },
  'PUT /api/cart_items/:id': {
    summary: 'Change a line’s quantity',
    params: one,
    body: Quantity,
    response: CartLine,
  },
  'DELETE /api/cart_items/:id': { summary: 'Remove a line', params: one, response: Done },
})
