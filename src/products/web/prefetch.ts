/** Fetches a product page, its scripts and its data, when somebody is about to open it. */
export function prefetch(id: number): void {
  void import('./product.ts').then(({ askPieceEarly }) => askPieceEarly(id))
  void import('./ProductPage.tsx')
}
