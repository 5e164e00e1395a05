import * as z from 'zod/mini'
import { sellerParams } from '#accounts/seller-path.ts'
import { emailRule } from '#accounts/user.ts'
import { Done, defineCalls, optionalText } from '#contract'
import { ALT_LENGTH, Image } from '#images/contract.ts'

/** Maximum length of what a maker says of returns, and so on, code points. */
export const POLICY_LENGTH = 2_000
const PHONE_LENGTH = 40

/** What a maker says of themselves beside their profile; '' where they say nothing. Plain text, with line ends. */
const Policies = z.object({
  contact_email: optionalText('Email', 254).check(
    z.refine(value => value === '' || /^[^\s@]+@[^\s@]+$/.test(value), emailRule),
  ),
  contact_phone: optionalText('Phone', PHONE_LENGTH).check(
    z.refine(
      value => value === '' || (/^[\d ()+./-]+$/.test(value) && /\d.*\d.*\d/.test(value)),
      'Phone can have digits, spaces and + ( ) - . / only',
    ),
  ),
  returns: optionalText('Returns', POLICY_LENGTH),
  custom_orders: optionalText('Custom orders', POLICY_LENGTH),
  care: optionalText('Care', POLICY_LENGTH),
})

/** The same as its maker edits it. */
export const ShopPageInput = z.extend(Policies, {
  /** What the wide photo shows; nothing without one. Left out it stays as it is. */
  banner_alt: z.optional(optionalText('What the photo shows', ALT_LENGTH)),
  /** Whether people may write to them here. Left out it stays as it is. */
  takes_messages: z.optional(z.boolean('Taking messages must be true or false')),
})
export type ShopPageInput = z.infer<typeof ShopPageInput>

/** What only the page of a maker shows. */
export const ShopPage = z.extend(Policies, {
  /** The wide photo above the page. Its alt text may be ''. */
  banner: z.nullable(Image),
  /** Whether people may write to them here, without an order. */
  takes_messages: z.boolean(),
  /** Number of their listings. */
  pieces: z.number(),
  /** Country of their default postage profile, null if they do not say it. */
  ships_from: z.nullable(z.string()),
})
export type ShopPage = z.infer<typeof ShopPage>

export const shopPageCalls = defineCalls({
  'GET /api/shops/:username/page': {
    summary: 'What only the page of a maker shows: wide photo, contact, returns, custom orders, care',
    visibility: 'public',
    params: sellerParams,
    response: ShopPage,
  },
  'PUT /api/shops/:username/page': {
    summary: 'Say how one is reached, and how one handles returns, custom orders and care',
    params: sellerParams,
    body: ShopPageInput,
    response: ShopPage,
  },
  'POST /api/shops/:username/banner': {
    summary: 'Set the own wide photo (multipart, field "image"; no pdf)',
    params: sellerParams,
    consumes: 'multipart',
    response: Image,
    status: 201,
  },
  'DELETE /api/shops/:username/banner': {
    summary: 'Remove the own wide photo; none is no error',
    params: sellerParams,
    response: Done,
  },
})
