import * as z from 'zod/mini'
import { text } from '#contract'

/** Most characters of a shop name, whose address leads to the maker too. */
export const SHOP_NAME_LENGTH = 40

/** The address may be longer than the name: some letters become several small ones. */
const ADDRESS_LENGTH = 4 * SHOP_NAME_LENGTH

const unknown = 'There is no such maker'
/** The username in a path, or the address of a shop name. Ignores case. 404 for text that cannot be one. */
export const sellerParams = z.object({
  username: text('Username', { required: unknown, max: [ADDRESS_LENGTH, unknown], trim: false }),
})
