import * as z from 'zod/mini'
import { Id } from '#contract'

/** The logged-in user. The password is sent on signup and login only, never back. */
export const User = z.object({
  id: Id,
  username: z.string(),
  email: z.string(),
  first_name: z.string(),
  last_name: z.string(),
})
export type User = z.infer<typeof User>
