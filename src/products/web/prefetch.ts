import { drawn } from '#web/api.ts'

/**
 * Fetches a product page, its scripts and its data, when somebody is about to open it. What they did is drawn first: it
 * may be the press itself.
 */
export async function prefetch(id: number): Promise<void> {
  await drawn()
  void import('./product.ts').then(({ askPieceEarly }) => askPieceEarly(id))
  void import('./ProductPage.tsx')
}
