import { calls as moderation } from '#moderation/contract.ts'
import { calls as onboarding } from '#onboarding/contract.ts'
import { calls as operators } from '#operators/contract.ts'
import { add } from '#operators/operators.ts'
import { calls as pages } from '#pages/contract.ts'
import { calls as site } from '#site/contract.ts'
import { brandDraft } from './brand.ts'
import type { Person, TestResponse } from './person.ts'
import { PASSWORD } from './person.ts'
import type { TestShop } from './shop.ts'
import { upload } from './uploads.ts'

/** Signs up a user and names them an operator, without reauthentication. */
export async function nameOperator(shop: TestShop, name: string): Promise<Person> {
  const person = await shop.signUp(name)
  await add(shop.db, null, person.user.email, 'They help at the fair')
  return person
}

/** An operator after reauthentication. */
export async function openOperator(shop: TestShop, name = 'otto'): Promise<Person> {
  const person = await nameOperator(shop, name)
  const { status } = await person.post('/api/operate/session', { current_password: PASSWORD })
  if (status >= 300) throw new Error(`the operator was not let in: ${status}`)
  return person
}

/** Keys of the calls of operators. */
export const operateKeys = Object.keys({
  ...operators,
  ...site,
  ...onboarding,
  ...pages,
  ...moderation,
}).filter(key => key.includes(' /api/operate/'))

/** A valid body of any of them. */
const body = {
  ...{ reason: 'A photo of somebody else', rule: 'Your own work', upheld: true },
  ...{ email: 'eve@example.com', current_password: PASSWORD },
  ...{ who_may_sell: 'open', seller_details_required: false, agreed_at_signup: false },
  ...{ accepted: true, note: 'The spring fair', uses: 3, days: 7 },
  ...brandDraft,
  ...{ text: 'We make things by hand.', base: null, version: 7 },
}

/** Sends a call of operators about this id. */
export function operate(
  person: Person,
  key: string,
  id: number,
  headers: Record<string, string> = {},
): Promise<TestResponse> {
  const [method = '', path = ''] = key.split(' ')
  const url = path.replace(':slug', 'about').replace(':picture', 'logo').replace(/:\w+/, String(id))
  if (path.endsWith('/brand/:picture') && method === 'POST') return upload(person, url, headers)
  if (method === 'GET') return person.get(url, headers)
  if (method === 'PUT') return person.put(url, body, headers)
  return method === 'DELETE' ? person.delete(url, undefined, headers) : person.post(url, body, headers)
}

/** Each of them about a listing, for tables of all calls. */
export const operateCalls = Object.fromEntries(
  operateKeys.map(key => [
    key,
    (person: Person, { listing }: { listing: number }, headers: Record<string, string>) =>
      operate(person, key, listing, headers),
  ]),
)
