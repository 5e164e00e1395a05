import { hasPasskeys } from '#accounts/relying-party.ts'
import { type Config, defineSettings, parseConfig, settingNamesOf } from '#platform/config/config.ts'
import { allowOrRefuse, onOff, wholeNumber } from '#platform/config/setting-types.ts'

/**
 * Limits of the features, in addition to those of the platform: name → uses in one window, at most. A network is what
 * `ipSubnet` makes of an IP address.
 */
const limits = {
  /** Signups from one network in an hour. A craft fair may have a single IP address. */
  signups: 500,
  /** Logins from one network in an hour, right or wrong. */
  logins: 2000,
  /** Challenges for passkeys from one network in an hour; every visit of the login page with autofill takes one. */
  passkeys: 6000,
  /** Wrong passwords for one account in 15 minutes, from one network or from one browser that has logged into it. */
  guesses: 10,
  /** Wrong passwords for one account in 15 minutes, from all networks together. */
  account_guesses: 100,
  /** Requests for a new password from one network in an hour. */
  resets: 300,
  /** Requests for a new password for one e-mail address in an hour, whether it has an account or not. */
  account_resets: 10,
  /** Links from letters that cannot be used, from one network in 15 minutes. */
  link_guesses: 100,
  /** New listings of one person in an hour. */
  listings: 300,
  /** Saves and deletions of drafts by one person in an hour. A form saves by itself every few seconds. */
  drafts: 6000,
  /** Photos, files and zips of one person in an hour. */
  uploads: 600,
  /** Reviews and replies of one person in an hour, new or changed. */
  reviews: 120,
  /** Checkouts and cancellations of one person in an hour. The demo account is shared. */
  orders: 600,
  /** Messages of one person in an hour. */
  messages: 30,
  /** Makers that one person writes to for the first time, without an order, in an hour. */
  conversations: 10,
  /** Reports from one network in an hour. */
  reports: 30,
  /** Codes that a maker enters for one order to be collected, in an hour. */
  pickup_guesses: 10,
  /** Changes of a cart in an hour. */
  cart: 3000,
  /** Changes of the favourites of one person in an hour. */
  favourites: 3000,
  /** All other changes by one person in an hour, and downloads; wrong links to turn letters off, from one network. */
  changes: 1200,
  /** Changes of names and username of one person in an hour. */
  names: 20,
  /** Letters that one person asks for to prove an e-mail address, in an hour. */
  confirmations: 10,
  /** The same from one network. */
  network_confirmations: 500,
  /** Archives of the own data that one person can ask for in a day. */
  daily_exports: 1,
  /** Their downloads. */
  daily_downloads: 20,
}

const QUARTER_SECONDS = 15 * 60
const windows = {
  guesses: QUARTER_SECONDS,
  account_guesses: QUARTER_SECONDS,
  link_guesses: QUARTER_SECONDS,
  daily_exports: 24 * 60 * 60,
  daily_downloads: 24 * 60 * 60,
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
    /** Maximum bytes of one person's photos and documents. Undefined without a limit. */
    quota: limited ? QUOTA_MB * 2 ** 20 : undefined,
    /** Whether sellers may buy and review their own listings. */
    ownListings: OWN_LISTINGS,
    /** Whether new passwords may be common ones. */
    commonPasswords: COMMON_PASSWORDS,
    /** Whether photos of imported drafts are fetched from the one host that is allowed. */
    importPhotos: IMPORT_PHOTOS,
    /** Whether operators prove who they are with a passkey alone, and not with the password. */
    operatorPasskey: OPERATOR_PASSKEY,
  }),
})

type OwnLimits = typeof limits
type OwnConfig = Readonly<ReturnType<typeof settings.config>>
declare module '#platform/config/config.ts' {
  interface Limits extends OwnLimits {}
  interface Config extends OwnConfig {}
}

/** Names of all settings, to check .env.example. */
export const settingNames: string[] = settingNamesOf(settings)

/**
 * Parses settings from environment variables. An empty value counts as absent.
 * @throws Error with a line for every wrong value
 */
export function readConfig(env: Record<string, string | undefined>): Config {
  const config = parseConfig(env, settings)
  const { protocol, hostname } = new URL(config.publicUrl ?? 'http://localhost')
  if (config.operatorPasskey && !hasPasskeys(protocol, hostname))
    throw new Error(
      'OPERATOR_PASSKEY=on needs a PUBLIC_URL with https and a host name: else there are no passkeys',
    )
  return config
}
