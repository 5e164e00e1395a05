import * as z from 'zod/mini'
import { Done, defineCalls, Id, idempotent, optionalText, PathId, text } from '#contract'
import { countries } from './countries.ts'

/** Most addresses of one person. */
export const MAX_ADDRESSES = 20
export const TOO_MANY = `You can save at most ${MAX_ADDRESSES} addresses; delete one first`

/** A form that was sent again with another address, as after Back without scripts. */
export const savedAlready = ({ name, line1 }: Pick<AddressInput, 'name' | 'line1'>): string =>
  `This form has saved the address ${name}, ${line1} already. To save another one, send the form again. To correct that one, change it in the list of your addresses`

const COUNTRY = 'Country must be one of the list'
/** ISO 3166-1 alpha-2, in capital letters. */
export const Country = z.string(COUNTRY).check(z.refine(code => countries.includes(code), COUNTRY))

const line = (label: string, max: number) =>
  text(label, {
    required: `${label} is required`,
    max: [max, `${label} cannot be more than ${max} characters`],
  })

/** An address as a person types it, in any script. */
export const AddressInput = z.object({
  name: line('Full name', 100),
  line1: line('Street address', 150),
  line2: optionalText('Second line', 150),
  city: line('City', 100),
  region: optionalText('Region', 100),
  postal_code: optionalText('Postal code', 20),
  country: Country,
})
export type AddressInput = z.infer<typeof AddressInput>

export const Address = z.extend(AddressInput, { id: Id })
export type Address = z.infer<typeof Address>

export const calls = defineCalls({
  'GET /api/addresses/': {
    summary: `Own addresses, at most ${MAX_ADDRESSES}, oldest first`,
    response: z.object({ addresses: z.array(Address) }),
  },
  'POST /api/addresses/': {
    summary: 'Save an address, and send the cart there',
    headers: idempotent(
      'Names this attempt. The same key again changes the address that it saved; 422 with another name or street.',
    ),
    body: AddressInput,
    response: Address,
    status: 201,
  },
  'PUT /api/addresses/:addressId': {
    summary: 'Change an address. Orders keep theirs',
    params: z.object({ addressId: PathId }),
    body: AddressInput,
    response: Address,
  },
  'DELETE /api/addresses/:addressId': {
    summary: 'Delete an address; the cart is sent to the newest one that is left. Orders keep theirs',
    params: z.object({ addressId: PathId }),
    response: Done,
  },
})
