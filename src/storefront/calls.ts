import type { calls as accounts } from '#accounts/contract.ts'
import type { calls as addresses } from '#addresses/contract.ts'
import type { calls as cart } from '#cart/contract.ts'
import type { calls as checkout } from '#checkout/contract.ts'
import type { calls as draftPictures } from '#draft-pictures/contract.ts'
import type { calls as drafts } from '#drafts/contract.ts'
import type { calls as favourites } from '#favourites/contract.ts'
import type { calls as messages } from '#messages/contract.ts'
import type { calls as moderation } from '#moderation/contract.ts'
import type { calls as notifications } from '#notifications/contract.ts'
import type { calls as onboarding } from '#onboarding/contract.ts'
import type { calls as operators } from '#operators/contract.ts'
import type { calls as orders } from '#orders/contract.ts'
import type { calls as pages } from '#pages/contract.ts'
import type { calls as personalData } from '#personal-data/contract.ts'
import type { calls as postage } from '#postage/contract.ts'
import type { calls as products } from '#products/contract.ts'
import type { calls as reviews } from '#reviews/contract.ts'
import type { calls as sales } from '#sales/contract.ts'
import type { calls as search } from '#search/contract.ts'
import type { calls as sections } from '#sections/contract.ts'
import type { calls as sellers } from '#sellers/contract.ts'
import type { calls as site } from '#site/contract.ts'
import type { calls as transfer } from '#transfer/contract.ts'

type Calls = typeof accounts &
  typeof addresses &
  typeof products &
  typeof draftPictures &
  typeof postage &
  typeof sections &
  typeof drafts &
  typeof search &
  typeof sellers &
  typeof favourites &
  typeof cart &
  typeof reviews &
  typeof checkout &
  typeof orders &
  typeof messages &
  typeof sales &
  typeof notifications &
  typeof operators &
  typeof site &
  typeof onboarding &
  typeof pages &
  typeof moderation &
  typeof personalData &
  typeof transfer

/** The calls of every feature. Types alone, so that the client loads no schemas. */
declare module '#ui/api-client.ts' {
  interface AllCalls extends Calls {}
}
