import { calls as moderation } from '#moderation/contract.ts'
import { calls as onboarding } from '#onboarding/contract.ts'
import { calls as operators } from '#operators/contract.ts'
import { add } from '#operators/operators.ts'
import { calls as pages } from '#pages/contract.ts'
import { calls as site } from '#site/contract.ts'
import { brandInput } from './brand.ts'
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
  ...brandInput,
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
  if (path.endsWith('/brand/:picture')) {
    const why = `${url}?reason=The%20meeting`
    return method === 'POST' ? upload(person, why, headers) : person.delete(why, undefined, headers)
  }
  if (method === 'GET') return person.get(url, headers)
  if (method === 'PUT') return person.put(url, body, headers)
  return method === 'DELETE' ? person.delete(url, undefined, headers) : person.post(url, body, headers)
}

interface Subjects {
  owner: { user: { id: number } }
  listing: number
  review: number
  order: number
}

/** What a call is about. Reports, objections, applications and invitations have none of these ids. */
function subjectOf(key: string, { owner, listing, review, order }: Subjects): number {
  if (key.includes('/people/')) return owner.user.id
  if (key.includes('/reviews/')) return review
  return key.includes('/orders/') ? order : listing
}

/** All of them, for tables of all calls. */
export const operateCalls = Object.fromEntries(
  operateKeys.map(key => [
    key,
    (person: Person, world: Subjects, headers: Record<string, string>) =>
      operate(person, key, subjectOf(key, world), headers),
  ]),
)

/** Status of a call that finds nothing to do, sent by an operator. All others succeed. */
const REFUSED: Record<string, number> = {
  // Nobody has this address.
  'POST /api/operate/operators': 404,
  'POST /api/operate/operators/:userId/remove': 404,
  'POST /api/operate/applications/:id/answer': 404,
  'POST /api/operate/invitations/:id/revoke': 404,
  'POST /api/operate/pages/:slug/publish': 404,
  'POST /api/operate/pages/:slug/take-back': 409,
  'POST /api/operate/reports/:reportId/dismiss': 404,
  'POST /api/operate/objections/:decisionId/answer': 404,
  'POST /api/operate/listings/:id/show': 409,
  'POST /api/operate/reviews/:id/show': 409,
  'POST /api/operate/reviews/:id/reply/show': 409,
  'POST /api/operate/people/:userId/restore': 409,
}

/** Whether it is the status that an operator gets for one of `operateCalls`. */
export const isForOperator = (key: string, status: number): boolean =>
  REFUSED[key] === undefined ? status < 300 : status === REFUSED[key]
