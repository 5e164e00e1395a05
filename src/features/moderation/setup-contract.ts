import * as z from 'zod/mini'
import { Done, defineCalls } from '#contract'
import { Because } from '#operators/contract.ts'

/** The state of the setup. */
export const SetupState = z.object({
  /** Whether each was saved once. */
  brand: z.boolean(),
  selling: z.boolean(),
  /** The latest test letter of this operator. */
  letter: z.enum(['none', 'waiting', 'sent', 'failed']),
  /** What the mail server said, '' for nothing. */
  letter_error: z.string(),
  /** Whether there is a mail server; without one, letters are files. */
  has_mail_server: z.boolean(),
  pages_published: z.int(),
  operators: z.int(),
  /** Whether an operator has ended the setup. */
  ended: z.boolean(),
})
export type SetupState = z.infer<typeof SetupState>

/** What the DNS says about the sender of letters. */
export const DnsFinding = z.object({
  record: z.enum(['SPF', 'DKIM', 'DMARC']),
  /** Null if the DNS could not be asked. */
  is_fine: z.nullable(z.boolean()),
  /** What it says, and what to add. */
  words: z.string(),
})
export type DnsFinding = z.infer<typeof DnsFinding>

export const setupCalls = defineCalls({
  'GET /api/operate/setup': { summary: 'For operators: what is left of the setup', response: SetupState },
  'GET /api/operate/setup/dns': {
    summary: 'For operators: what the DNS says about the sender of letters; nothing without a mail server',
    response: z.object({ findings: z.array(DnsFinding) }),
  },
  'POST /api/operate/setup/end': { summary: 'For operators: end the setup', body: Because, response: Done },
  'POST /api/operate/setup/letter': {
    summary: 'For operators: send a letter to oneself, to try the mail server',
    response: Done,
  },
})
