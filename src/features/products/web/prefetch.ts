import { drawn, EARLY_MS } from '#ui/api-client.ts'

let ahead: number | undefined

/** What fetches the scripts and the data of a product page: set where the pages are put together, for cards know no page. */
export const productPage: { load?: (id: number) => void } = {}

/**
 * Fetches a product page, its scripts and its data, when somebody is about to open it. What they did is drawn first: it
 * may be the press itself.
 */
export async function prefetch(id: number): Promise<void> {
  // Pointer, touch and focus tell of the same press.
  if (ahead === id) return
  ahead = id
  setTimeout(() => {
    ahead = undefined
  }, EARLY_MS)
  await drawn()
  productPage.load?.(id)
}
