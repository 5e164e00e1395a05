import * as z from 'zod/mini'
import { sellerParams } from '#accounts/seller-path.ts'
import { emailRule } from '#accounts/user.ts'
import { Done, defineCalls, Id, Moment, optionalText, PathId, text } from '#contract'
import { Reason } from '#operators/contract.ts'
import { WhoMaySell } from '#site/contract.ts'

export const APPLICATION_LENGTH = 2_000
export const NOTE_LENGTH = 100
/** Most uses of one invitation, and its longest lifetime, days. */
export const MAX_USES = 500
export const MAX_DAYS = 365

export const NOT_YET = 'Not everybody may sell here. See “Sell with us”'
export const DETAILS_FIRST = 'Please say first who sells: Settings, Seller details'
export const UNUSABLE_INVITATION =
  'This invitation has been used up, taken back, or is too old. Ask for a new one'

/** An application to sell. */
export const NewApplication = z.object({
  words: text('Your application', {
    required: 'Please say what you make',
    max: [APPLICATION_LENGTH, `Your application cannot be more than ${APPLICATION_LENGTH} characters`],
  }),
})
/** An application, as its author reads it. */
export const Application = z.object({
  words: z.string(),
  created_at: Moment,
  /** Null while it waits. */
  accepted: z.nullable(z.boolean()),
  /** Of the answer; '' while it waits. */
  reason: z.string(),
})
export type Application = z.infer<typeof Application>

/** Whether the user may add listings, and how they can be approved. */
export const Selling = z.object({
  who_may_sell: WhoMaySell,
  may_sell: z.boolean(),
  /** Their shop is suspended: nothing new until that ends. */
  suspended: z.boolean(),
  /** Whether they must say first who sells. */
  details_missing: z.boolean(),
  /** Their last one. */
  application: z.nullable(Application),
})
export type Selling = z.infer<typeof Selling>

const RESPONSIBLE =
  'Please name somebody in the European Union who answers for the safety of what you make: name, address and email'
/** Longest warnings for all listings, characters. */
export const SAFETY_LENGTH = 1_000
const missingName = 'Please say the name of who sells'
/** Who sells, as the law asks. */
export const SellerDetails = z
  .object({
    /** Whether they sell as a business. */
    is_trader: z.boolean('Please say whether you sell as a business'),
    name: text('Name', { required: missingName, max: [100, 'Name cannot be more than 100 characters'] }),
    address: optionalText('Address', 300),
    email: optionalText('Email', 254).check(
      z.refine(value => value === '' || /^\S+@\S+$/.test(value), emailRule),
    ),
    phone: optionalText('Phone', 40),
    register: optionalText('Trade register', 100),
    vat_id: optionalText('VAT number', 30),
    responsible_person: optionalText('Responsible person', 300),
    /** Whether they make things outside of the European Union, and send them there. */
    outside_eu: z.boolean('Please say whether you make things outside of the European Union'),
    /** Warnings and safety information of every listing that has none of its own. */
    safety: optionalText('Warnings and safety information', SAFETY_LENGTH),
  })
  .check(
    // Article 30 of Regulation (EU) 2022/2065: of traders, the name, address, telephone number and e-mail address.
    ...(['address', 'email', 'phone'] as const).map(field =>
      z.refine<{ is_trader: boolean; address: string; email: string; phone: string }>(
        details => !details.is_trader || details[field] !== '',
        { error: `A business has to give its ${field}`, path: [field] },
      ),
    ),
    // Article 4 of Regulation (EU) 2019/1020, Article 16 of Regulation (EU) 2023/988.
    z.refine<{ outside_eu: boolean; responsible_person: string }>(
      details => !details.outside_eu || details.responsible_person !== '',
      { error: RESPONSIBLE, path: ['responsible_person'] },
    ),
  )
export type SellerDetails = z.infer<typeof SellerDetails>

/** An application that waits, as operators see it. */
export const OpenApplication = z.object({
  id: Id,
  words: z.string(),
  created_at: Moment,
  person_id: Id,
  username: z.string(),
  name: z.string(),
  email: z.string(),
  email_confirmed: z.boolean(),
})
export type OpenApplication = z.infer<typeof OpenApplication>

/** A link with which people may sell, without its secret. */
export const Invitation = z.object({
  id: Id,
  note: z.string(),
  uses: z.number(),
  uses_left: z.number(),
  expires_at: Moment,
  revoked: z.boolean(),
})
export type Invitation = z.infer<typeof Invitation>

const between = (label: string, most: number) => {
  const wrong = `${label} must be a whole number from 1 to ${most}`
  return z.int(wrong).check(z.minimum(1, wrong), z.maximum(most, wrong))
}
/** Text that cannot be a code is unknown. */
const code = z.object({
  code: z.string(UNUSABLE_INVITATION).check(z.regex(/^[\w-]{22}$/, UNUSABLE_INVITATION)),
})

export const calls = defineCalls({
  'GET /api/selling/': {
    summary: 'Whether one may add listings, and what became of one’s application',
    response: Selling,
  },
  'POST /api/selling/application': {
    summary: 'Apply to sell, where operators decide who may',
    body: NewApplication,
    response: Application,
    status: 201,
  },
  'POST /api/selling/invitation': {
    summary: 'Accept an invitation to sell; again is no error',
    body: code,
    response: Done,
  },
  'GET /api/selling/details': {
    summary: 'Who one is, as a seller; null: not said',
    response: z.object({ details: z.nullable(SellerDetails) }),
  },
  'PUT /api/selling/details': {
    summary: 'Say who one is, as a seller. Everybody can read it',
    body: SellerDetails,
    response: SellerDetails,
  },
  'GET /api/shops/:username/seller': {
    summary: 'Who a maker is, as a seller; null: not said',
    visibility: 'public',
    params: sellerParams,
    response: z.object({ details: z.nullable(SellerDetails) }),
  },
  'GET /api/operate/applications': {
    summary: 'For operators: applications that wait, oldest first',
    response: z.object({ applications: z.array(OpenApplication) }),
  },
  'POST /api/operate/applications/:id/answer': {
    summary: 'For operators: accept or refuse an application; who applied gets a letter',
    params: z.object({ id: PathId }),
    body: z.object({ accepted: z.boolean('Accepted must be true or false'), reason: Reason }),
    response: Done,
  },
  'GET /api/operate/invitations': {
    summary: 'For operators: links with which people may sell, newest first',
    response: z.object({ invitations: z.array(Invitation) }),
  },
  'POST /api/operate/invitations': {
    summary: 'For operators: make a link with which people may sell. It is shown once',
    body: z.object({
      note: text('For whom', {
        required: 'Please say for whom it is',
        max: [NOTE_LENGTH, `For whom cannot be more than ${NOTE_LENGTH} characters`],
      }),
      uses: between('How many people', MAX_USES),
      days: between('How many days', MAX_DAYS),
    }),
    response: z.object({ id: Id, path: z.string() }),
    status: 201,
  },
  'POST /api/operate/invitations/:id/revoke': {
    summary: 'For operators: take a link back. Who came by it may go on',
    params: z.object({ id: PathId }),
    body: z.object({ reason: Reason }),
    response: Done,
  },
})
