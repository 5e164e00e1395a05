import * as z from 'zod'

/** A setting that is a whole number. @param name of the setting, for the message */
export const wholeNumber = (name: string, min: number, max: number) => {
  const message = `${name} must be a whole number from ${min} to ${max}`
  return z
    .string()
    .regex(/^\d+$/, message)
    .transform(Number)
    .refine(n => n >= min && n <= max, message)
}

/** A setting that is `on` or `off`: true or false. */
export const onOff = (name: string) =>
  z.enum(['on', 'off'], `${name} must be on or off`).transform(value => value === 'on')

/** A setting that is `allow` or `refuse`: true or false. */
export const allowOrRefuse = (name: string) =>
  z.enum(['allow', 'refuse'], `${name} must be allow or refuse`).transform(value => value === 'allow')

/** A setting that is an absolute URL. @param protocols with their colon: ['https:'] */
export const url = (name: string, protocols: string[]) =>
  z
    .string()
    .refine(
      value => URL.canParse(value) && protocols.includes(new URL(value).protocol),
      `${name} must be an address that starts with ${protocols.map(p => `${p}//`).join(' or ')}`,
    )

/** A setting that is a sender: 'post@shop.example' or 'Name <post@shop.example>'. */
export const mailbox = (name: string) =>
  z.string().transform((value, context) => {
    const [, words = '', address = ''] =
      /^(?:([^<>"\p{Cc}]*)<)?([^\s<>@,;:"\\()]+@[a-z0-9.-]+)>?$/iu.exec(value.trim()) ?? []
    if (address && value.includes('<') === value.includes('>')) return { name: words.trim(), address }
    context.addIssue(`${name} must be like post@shop.example or Shop <post@shop.example>`)
    return z.NEVER
  })

/** A bucket of an S3-compatible store, and the prefix of this shop's keys in it. */
export interface Bucket {
  readonly bucket: string
  /** Without slashes at both ends; '' for the whole bucket. */
  readonly prefix: string
  /** URL of the store. Undefined for AWS. */
  readonly endpoint: string | undefined
  readonly region: string | undefined
}

const STORAGE =
  'STORAGE_URL must be like s3://bucket/prefix?endpoint=https://store.example&region=eu-1, without a key in it'

/** Parses `s3://bucket/prefix?endpoint=…&region=…`; undefined for anything else. */
function storageOf(value: string): Bucket | undefined {
  const { protocol, hostname, port, username, password, pathname, searchParams, hash } =
    URL.parse(value) ?? {}
  const { endpoint, region, ...others } = Object.fromEntries(searchParams ?? [])
  const isUrl = endpoint === undefined || /^https?:$/.test(URL.parse(endpoint)?.protocol ?? '')
  const prefix = (pathname ?? '').replace(/^\/+|\/+$/g, '')
  const isPlain = /^[a-z0-9][a-z0-9.-]{1,62}$/.test(hostname ?? '') && /^[\w.!*'()/-]*$/.test(prefix)
  if (protocol !== 's3:' || !isUrl || !isPlain || Object.keys(others).length > 0) return undefined
  if (port || username || password || hash) return undefined
  return { bucket: hostname ?? '', prefix, endpoint, region }
}

/** A setting that is a bucket: STORAGE_URL. */
export const storage = z.string().transform((value, context): Bucket => {
  const parsed = storageOf(value)
  if (parsed) return parsed
  context.addIssue(STORAGE)
  return z.NEVER
})
