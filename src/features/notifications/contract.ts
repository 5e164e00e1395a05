import * as z from 'zod/mini'
import { Done, defineCalls, ListQuery, Moment } from '#contract'

/** A kind of letter that people can switch off. */
export const LetterChoice = z.object({
  /** As in `PUT /api/letters/`: 'review'. */
  kind: z.string(),
  /** What its letters are about: 'reviews of your pieces'. */
  about: z.string(),
  on: z.boolean(),
})
export type LetterChoice = z.infer<typeof LetterChoice>

const KINDS = 'Letters to switch off must be a list of their kinds'
/** Refusal of a kind that is none, or that is always sent. */
export const CANNOT_SWITCH_OFF = 'There are no such letters that could be switched off'
/** Refusal of a link that the shop has not signed. */
export const WRONG_LINK = 'This link is not whole. Please copy all of it from the letter'

/** The end of an unsubscribe link: recipient, kind of letter, and signature. */
const OffLink = z.object({ token: z.string().check(z.regex(/^[1-9]\d{0,15}\.[a-z-]{1,50}\.[\w-]{43}$/)) })
const About = z.object({ about: z.string() })

/** What has happened, in the words of the letter about it. */
export const Notification = z.object({
  id: z.uuid(),
  text: z.string(),
  /** Where it leads, with a leading slash. null: nowhere. */
  path: z.nullable(z.string()),
  created_at: Moment,
  unread: z.boolean(),
})
export type Notification = z.infer<typeof Notification>

export const NotificationPage = z.object({
  notifications: z.array(Notification),
  next_cursor: z.nullable(z.string()),
  /** Id that marks the notifications of this page as read. Null if all are read. */
  newest_unread: z.nullable(z.uuid()),
})
export type NotificationPage = z.infer<typeof NotificationPage>

const UNKNOWN = 'Newest must be the id of a notification'

export const calls = defineCalls({
  'GET /api/notifications/': {
    summary: 'Own notifications of the last 90 days, newest first. Those whose fact was deleted are left out',
    query: ListQuery,
    response: NotificationPage,
  },
  'POST /api/notifications/seen': {
    summary: 'Mark one’s notifications as read, up to the one that is named',
    body: z.object({ newest: z.uuid(UNKNOWN) }),
    response: Done,
  },
  'GET /api/letters/': {
    summary: 'Which letters one can switch off, and which are on',
    response: z.object({ letters: z.array(LetterChoice) }),
  },
  'PUT /api/letters/': {
    summary: 'Switch off letters of these kinds, and switch on all others',
    body: z.object({ off: z.array(z.string(KINDS), KINDS).check(z.maxLength(100, KINDS)) }),
    response: Done,
  },
  'GET /api/letters/off/:token': {
    summary: 'What a link in a letter switches off. It changes nothing',
    params: OffLink,
    response: About,
  },
  'POST /api/letters/off/:token': {
    summary: 'Switch off what a link in a letter is about, without a login',
    params: OffLink,
    response: About,
  },
})
