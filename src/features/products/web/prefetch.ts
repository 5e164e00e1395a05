import { drawn, PREFETCH_MS } from '#ui/api-client.ts'

let ahead: number | undefined

/** Prefetch of a product page's scripts and data. Set by storefront, since cards must not import the page. */
export const productPage: { load?: (id: number) => void } = {}

/**
 * Prefetches a product page on pointerdown, hover or focus. After the next frame, since the event may be the press
 * itself.
 */
export async function prefetch(id: number): Promise<void> {
  // Pointer, touch and focus fire for the same press.
  if (ahead === id) return
  ahead = id
  setTimeout(() => {
    ahead = undefined
  }, PREFETCH_MS)
  await drawn()
  productPage.load?.(id)
}
