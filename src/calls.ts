/** Types of every call of the API. Types alone, so that the client loads no schemas. */
export type AllCalls = typeof import('#accounts/contract.ts').calls &
  typeof import('#products/contract.ts').calls &
  typeof import('#search/contract.ts').calls &
  typeof import('#sellers/contract.ts').calls &
  typeof import('#favourites/contract.ts').calls &
  typeof import('#cart/contract.ts').calls &
  typeof import('#reviews/contract.ts').calls &
  typeof import('#orders/contract.ts').calls &
  typeof import('#notifications/contract.ts').calls &
  typeof import('#personal-data/contract.ts').calls
