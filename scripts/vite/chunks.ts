/** Small modules that several pages share, by the file of the build that holds them: each further file costs a request. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** A file of the build. @param modules paths below `src/` @throws Error if one of them does not exist */
function chunk(name: string, modules: string[]) {
  const files = new Set(modules.map(module => join(import.meta.dirname, '../../src', module)))
  for (const file of files)
    if (!existsSync(file)) throw new Error(`scripts/vite/chunks.ts: there is no ${file}`)
  return { name, test: (id: string) => files.has(join(id)) }
}

export const chunks = [
  // Of pages that list products, the landing page first.
  chunk('listings', [
    'shared/money.ts',
    'shared/id.ts',
    'storefront/pages/landing.route.ts',
    'storefront/pages/LandingPage.tsx',
    'features/images/web/Photo.tsx',
    'features/products/categories.ts',
    'features/products/web/ListingCard.tsx',
    'features/products/web/ListingGrid.tsx',
    'features/products/web/prefetch.ts',
    'features/search/web/CategoryMark.tsx',
    'features/search/web/CategoryStrip.tsx',
  ]),
  // Of forms. The names of these files are in the first load.
  chunk('forms', [
    'shared/text.ts',
    'ui/CharacterCounter.tsx',
    'ui/SubmitButton.tsx',
    'ui/fields.tsx',
    'ui/flash.ts',
    'ui/text-fields.ts',
    'ui/idempotency-key.ts',
    'ui/use-focus-on-result.ts',
    'ui/use-sending.ts',
    'ui/use-transient.ts',
    'features/accounts/web/LoginNeeded.tsx',
    'features/accounts/web/fieldsOf.ts',
  ]),
  // What the page of a product shares with others. No schemas: these need zod.
  chunk('details', [
    'shared/format-date.ts',
    'ui/LinkButton.tsx',
    'ui/Paging.tsx',
    'ui/page-at.ts',
    'ui/page-size.ts',
    'ui/use-hydrated.ts',
    'features/addresses/countries.ts',
    'features/cart/web/answerForm.ts',
    'features/cart/web/sendAdd.ts',
    'features/products/answer-rules.ts',
    'features/products/combination-name.ts',
    'features/products/sides.ts',
    'features/products/slug.ts',
    'features/products/variation-text.ts',
    'features/reviews/sorts.ts',
    'features/sellers/web/Banner.tsx',
  ]),
  // What the page of a product says of its seller and of postage, as the page of the seller does.
  chunk('makers', [
    'features/accounts/web/person.ts',
    'features/accounts/web/username-in.ts',
    'features/messages/web/AskMaker.tsx',
    'features/onboarding/web/WhoSells.tsx',
    'features/postage/postage-text.ts',
    'features/postage/web/AwayNotice.tsx',
    'features/postage/web/CountryOptions.tsx',
    'features/postage/web/PickupList.tsx',
    'features/postage/web/RateTable.tsx',
    'features/sellers/long-words.ts',
    'features/sellers/web/Portrait.tsx',
    'features/sellers/web/SellerProfile.tsx',
  ]),
]
