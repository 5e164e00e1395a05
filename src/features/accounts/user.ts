import * as z from 'zod/mini'
import { Id, text } from '#contract'

export const emailRule = 'Please provide a valid email'

export const Email = text('Email', { required: 'Email is required', max: [254, emailRule] }).check(
  z.refine(value => value.includes('@'), emailRule),
)

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
