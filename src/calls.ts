/** Every call of the API, as types alone: the client knows all of them and no schema reaches the browser through it. */
export type AllCalls = typeof import('#accounts/contract.ts').calls &
  typeof import('#products/contract.ts').calls &
  typeof import('#search/contract.ts').calls &
  typeof import('#sellers/contract.ts').calls &
  typeof import('#favourites/contract.ts').calls &
  typeof import('#cart/contract.ts').calls &
  typeof import('#reviews/contract.ts').calls &
  typeof import('#orders/contract.ts').calls
