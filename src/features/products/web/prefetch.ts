import { nextFrame, PREFETCH_MS } from '#ui/api-client.ts'

let lastPrefetched: number | undefined

/** Prefetch of a product page's scripts and data. Set by storefront, since cards must not import the page. */
export const productPage: { load?: (id: number) => void } = {}

/**
 * Prefetches a product page on pointerdown, hover or focus. After the next frame, since the event may be the press
 * itself.
 */
export async function prefetch(id: number): Promise<void> {
  // Pointer, touch and focus fire for the same press.
  if (lastPrefetched === id) return
  lastPrefetched = id
  setTimeout(() => {
    lastPrefetched = undefined
  }, PREFETCH_MS)
  await nextFrame()
  productPage.load?.(id)
}
