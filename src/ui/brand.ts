import { createContext, useContext } from 'react'
import type { PageBrand } from '#brand'

/** The brand, for everything that is drawn: from the document in the browser, from the request on the server. */
export const BrandContext = createContext<PageBrand | undefined>(undefined)

/** The brand of the shop. @throws Error outside of a page or a letter */
export function useBrand(): PageBrand {
  const brand = useContext(BrandContext)
  if (!brand) throw new Error('useBrand needs a BrandContext around it')
  return brand
}
