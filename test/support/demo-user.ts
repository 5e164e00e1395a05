import { DEMO } from '#accounts/contract.ts'
import type { Person, Shop } from './person.ts'

/** Logs into the demo account. */
export async function demoUser(shop: Shop): Promise<Person> {
  const person = shop.visitor()
  const { status, body } = await person.post('/api/auth/login', DEMO)
  if (status !== 200) throw new Error(`the demo login failed: ${JSON.stringify(body)}`)
  person.user = body
  return person
}
