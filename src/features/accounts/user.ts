import * as z from 'zod/mini'
import { Id } from '#contract'

/** Cost in the admission queue of making or checking the hash of a password, in small requests. */
export const HASH_COST = 6

/** The logged-in user. The password is sent on signup and login only, never back. */
export const User = z.object({
  id: Id,
  username: z.string(),
  email: z.string(),
  first_name: z.string(),
  last_name: z.string(),
})
export type User = z.infer<typeof User>
