import {
  type Config,
  defineSettings,
  type Limits,
  parseConfig,
  settingNamesOf,
} from '#platform/config/config.ts'
import { allowOrRefuse, onOff, wholeNumber } from '#platform/config/setting-types.ts'

/** Settings of the features, beside those of the platform. */
declare module '#platform/config/config.ts' {
  interface Limits {
    /** Signups of one address in an hour. A craft fair may have a single address. */
    signups: number
    /** Logins of one address in an hour, right or wrong. */
    logins: number
    /** Challenges for passkeys of one address in an hour; every visit of the login page with autofill takes one. */
    passkeys: number
    /** Wrong passwords for one account in 15 minutes, from one network or from one browser that has logged into it. */
    guesses: number
    /** Wrong passwords for one account in 15 minutes, from all networks together. */
    account_guesses: number
    /** Requests for a new password of one address (network) in an hour. */
    resets: number
    /** Requests for a new password for one e-mail address in an hour, whether it has an account or not. */
    account_resets: number
    /** Links from letters of one address in 15 minutes that cannot be used. */
    link_guesses: number
    /** New listings of one person in an hour. */
    listings: number
    /** Saves and deletions of drafts by one person in an hour. A form saves by itself every few seconds. */
    drafts: number
    /** Photos of one person in an hour. */
    uploads: number
    /** Reviews of one person in an hour. */
    reviews: number
    /** Checkouts and cancellations of one person in an hour. The demo account is shared. */
    orders: number
    /** Messages of one person in an hour. */
    messages: number
    /** Makers that one person writes to for the first time, without an order, in an hour. */
    conversations: number
    /** Reports of one address in an hour. */
    reports: number
    /** Codes that a maker enters for one order to be collected, in an hour. */
    pickup_guesses: number
    /** Changes of a cart in an hour. */
    cart: number
    /** Changes of the favourites of one person in an hour. */
    favourites: number
    /** Public changes by one person in an hour: of listings and shop pages, and deletions. */
    changes: number
    /** Changes of names and username of one person in an hour. */
    names: number
    /** Letters that one person asks for to prove an e-mail address, in an hour. */
    confirmations: number
    /** The same from one address of the network. */
    network_confirmations: number
    /** Archives of the own data that one person can ask for in a day. */
    daily_exports: number
    /** Their downloads. */
    daily_downloads: number
  }
  interface Config {
    /** Maximum bytes of one person's photos and documents; undefined: no limit. */
    readonly quota: number | undefined
    /** Whether sellers may buy and review their own listings. */
    readonly ownListings: boolean
    /** Whether new passwords may be common ones. */
    readonly commonPasswords: boolean
    /** Whether photos of imported drafts are fetched from the one host that is allowed. */
    readonly importPhotos: boolean
    /** Whether operators prove who they are with a passkey alone, and not with the password. */
    readonly operatorPasskey: boolean
  }
}

const limits: Omit<Limits, 'connections' | 'letters' | 'unconfirmed_letters'> = {
  signups: 500,
  logins: 2000,
  passkeys: 6000,
  guesses: 10,
  account_guesses: 100,
  resets: 300,
  account_resets: 10,
  link_guesses: 100,
  listings: 300,
  drafts: 6000,
  uploads: 600,
  reviews: 120,
  orders: 600,
  messages: 30,
  conversations: 10,
  reports: 30,
  pickup_guesses: 10,
  cart: 3000,
  favourites: 3000,
  changes: 1200,
  names: 20,
  confirmations: 10,
  network_confirmations: 500,
  daily_exports: 1,
  daily_downloads: 20,
}

const QUARTER = 15 * 60
const windows = {
  guesses: QUARTER,
  account_guesses: QUARTER,
  link_guesses: QUARTER,
  daily_exports: 24 * 60 * 60,
}

const settings = defineSettings({
  limits,
  windows,
  shape: {
    QUOTA_MB: wholeNumber('QUOTA_MB', 1, 1_000_000).default(500),
    OWN_LISTINGS: allowOrRefuse('OWN_LISTINGS').default(true),
    COMMON_PASSWORDS: allowOrRefuse('COMMON_PASSWORDS').default(true),
    IMPORT_PHOTOS: onOff('IMPORT_PHOTOS').default(true),
    OPERATOR_PASSKEY: onOff('OPERATOR_PASSKEY').default(false),
  },
  config: ({ QUOTA_MB, OWN_LISTINGS, COMMON_PASSWORDS, IMPORT_PHOTOS, OPERATOR_PASSKEY }, limited) => ({
    quota: limited ? QUOTA_MB * 2 ** 20 : undefined,
    ownListings: OWN_LISTINGS,
    commonPasswords: COMMON_PASSWORDS,
    importPhotos: IMPORT_PHOTOS,
    operatorPasskey: OPERATOR_PASSKEY,
  }),
})

/** Names of all settings, to check .env.example. */
export const settingNames: string[] = settingNamesOf(settings)

/**
 * Parses settings from environment variables. An empty value counts as absent.
 * @throws Error with a line for every wrong value
 */
export const readConfig = (env: Record<string, string | undefined>): Config => parseConfig(env, settings)
