import { emailLetters } from '#accounts/email-letters.ts'
import { accountLetters } from '#accounts/letters.ts'
import { securityLetters } from '#accounts/security-letters.ts'
import { messageLetters } from '#messages/letters.ts'
import { moderationLetters } from '#moderation/letters.ts'
import { setupLetters } from '#moderation/setup-letters.ts'
import { onboardingLetters } from '#onboarding/letters.ts'
import { orderLetters } from '#orders/letters.ts'
import { dataLetters } from '#personal-data/letters.ts'
import type { LetterKinds } from '#platform/mail/delivery.ts'
import { reviewLetters } from '#reviews/letters.ts'
import { saleLetters } from '#sales/letters.ts'
import { reminderLetters } from '#sales/reminders.ts'

/** Every kind of letter. */
export const letterKinds: LetterKinds = {
  ...accountLetters,
  ...emailLetters,
  ...securityLetters,
  ...reviewLetters,
  ...orderLetters,
  ...messageLetters,
  ...saleLetters,
  ...reminderLetters,
  ...dataLetters,
  ...setupLetters,
  ...onboardingLetters,
  ...moderationLetters,
}
