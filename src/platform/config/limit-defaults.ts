/** Name → what it counts, default per window. Each is a setting: LIMIT_SIGNUPS=500. */
export const limitDefaults = {
  /** Signups of one address in an hour. A craft fair may sit behind one address. */
  signups: 500,
  /** Logins of one address in an hour, right or wrong. */
  logins: 2000,
  /** Wrong passwords for one account in 15 minutes, from one network or from one browser that has logged into it. */
  guesses: 10,
  /** Wrong passwords for one account in 15 minutes, from all networks together. */
  account_guesses: 100,
  /** New listings of one person in an hour. */
  listings: 300,
  /** Photos of one person in an hour. */
  uploads: 600,
  /** Reviews of one person in an hour. */
  reviews: 120,
  /** Checkouts and cancellations of one person in an hour. The demo account is everybody's. */
  orders: 600,
  /** Changes of a cart in an hour. */
  cart: 3000,
  /** Changes of the favourites of one person in an hour. */
  favourites: 3000,
  /** Changes by one person in an hour that everybody sees: of listings and shop pages, and what is deleted. */
  changes: 1200,
  /** Open connections of one network at the same time, where no proxy stands in front. */
  connections: 250,
} as const
export type LimitName = keyof typeof limitDefaults
