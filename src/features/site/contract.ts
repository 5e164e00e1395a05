import * as z from 'zod/mini'
import { defineCalls, expectedVersion } from '#contract'
import { Reason } from '#operators/contract.ts'
import { brandCalls } from './brand-contract.ts'

/** Who may add listings, and how an operator reads it. */
export const WHO_MAY_SELL = {
  open: 'Everybody with an account',
  approval: 'Whoever applies, and is accepted',
  invitation: 'Whoever has a link from an operator',
} as const
export type WhoMaySell = keyof typeof WHO_MAY_SELL
export const WhoMaySell = z.enum(
  Object.keys(WHO_MAY_SELL) as [WhoMaySell, ...WhoMaySell[]],
  'Please choose who may sell',
)

/** What operators set in the browser. */
export const SiteSettings = z.object({
  who_may_sell: WhoMaySell,
  /** Whether makers must say who sells, before they add listings. */
  seller_details_required: z.boolean('Seller details required must be true or false'),
  /** Whether listings must say who made them, with warnings, before they are for sale. */
  product_safety_required: z.boolean('Product safety required must be true or false'),
})
export type SiteSettings = z.infer<typeof SiteSettings>

export const EditedSettings = z.extend(SiteSettings, {
  /** Each change has another one. */
  version: z.number(),
})
export type EditedSettings = z.infer<typeof EditedSettings>

export const SettingsChange = z.extend(SiteSettings, {
  /** Left out, it stays. */
  product_safety_required: z.optional(SiteSettings.shape.product_safety_required),
  reason: Reason,
})
export type SettingsChange = z.infer<typeof SettingsChange>

export const SETTINGS_CHANGED =
  'Somebody has changed the settings meanwhile. Load the page again to see them, or save again to replace them'

export const calls = defineCalls({
  ...brandCalls,
  'GET /api/operate/settings': {
    summary: 'For operators: the settings of the shop',
    response: EditedSettings,
  },
  'PUT /api/operate/settings': {
    summary:
      'For operators: change the settings of the shop. Where not everybody may sell any more, those with listings go on',
    headers: z.object({
      'expected-version': expectedVersion('Where the settings have another one: 409, and no change.'),
    }),
    body: SettingsChange,
    response: EditedSettings,
  },
})
