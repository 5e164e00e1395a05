import * as z from 'zod'

/** A setting that is a whole number. @param name of the setting, for the message */
export const whole = (name: string, least: number, most: number) => {
  const message = `${name} must be a whole number from ${least} to ${most}`
  return z
    .string()
    .regex(/^\d+$/, message)
    .transform(Number)
    .refine(n => n >= least && n <= most, message)
}

/** A setting that is `on` or `off`: true or false. */
export const onOff = (name: string) =>
  z.enum(['on', 'off'], `${name} must be on or off`).transform(value => value === 'on')

/** A setting that is `allow` or `refuse`: true or false. */
export const allowOrRefuse = (name: string) =>
  z.enum(['allow', 'refuse'], `${name} must be allow or refuse`).transform(value => value === 'allow')

/** A setting that is an absolute URL. @param protocols with their colon: ['https:'] */
export const address = (name: string, protocols: string[]) =>
  z
    .string()
    .refine(
      value => URL.canParse(value) && protocols.includes(new URL(value).protocol),
      `${name} must be an address that starts with ${protocols.map(p => `${p}//`).join(' or ')}`,
    )
