/** What pages are for, by the beginning of their address. The first that matches counts. */
const PURPOSES: [path: string, purpose: string][] = [
  ['/cart?add=', 'to add it to your cart'],
  ['/cart', 'to see your cart'],
  ['/favourites?save=', 'to save it'],
  ['/favourites', 'to see what you have saved'],
  ['/orders', 'to see your orders'],
  ['/messages/to/', 'to write to the maker'],
  ['/messages', 'to read your messages'],
  ['/products/new', 'to add a piece'],
  ['/your-listings', 'to see your listings'],
  ['/sold', 'to see what you have sold'],
  ['/sell', 'to sell here'],
  ['/settings', 'to see your settings'],
]

/** Why a login leads on to an address: 'to see your cart'. Undefined where nothing has to be said. */
export const purposeOf = (next: string): string | undefined =>
  PURPOSES.find(([path]) => next.startsWith(path))?.[1]
