import * as z from 'zod/mini'
import { Done, defineCalls, expectedVersion, optionalText, text } from '#contract'
import { Image } from '#images/contract.ts'
import { reasonUpTo } from '#operators/contract.ts'
import { contrast, paletteOf, type Scheme } from '#palette'

/** Greatest lengths, characters. */
export const BRAND_LENGTHS = {
  name: 40,
  short_name: 12,
  tagline: 120,
  description: 300,
  hero_caption: 120,
  hero_link: 300,
} as const
export const MEMBER_LENGTHS = { name: 60, role: 60, profile: 300 } as const
/** Most people in the footer. */
export const MAX_MEMBERS = 12

const required = (label: string, most: number) =>
  text(label, {
    required: `${label} is required`,
    max: [most, `${label} cannot be more than ${most} characters`],
  })

const Web = z
  .string('Please give an address that begins with https://')
  .check(
    z.trim(),
    z.maxLength(MEMBER_LENGTHS.profile, `Address cannot be more than ${MEMBER_LENGTHS.profile} characters`),
    z.regex(/^(https?:\/\/[^\s\p{C}"'<>\\]+)?$/u, 'Please give an address that begins with https://'),
  )

/** A member of the team, in the footer. */
const Member = z.object({
  name: required('Name', MEMBER_LENGTHS.name),
  role: optionalText('Role', MEMBER_LENGTHS.role),
  /** Address of a page about them; '': none. */
  profile: Web,
})
export type Member = z.infer<typeof Member>

const BAD_COLOUR = 'Please give a colour such as #9a3f27'
const Colour = z.string(BAD_COLOUR).check(z.trim(), z.toLowerCase(), z.regex(/^#[0-9a-f]{6}$/, BAD_COLOUR))

/** Least contrast of text: WCAG 2.2, success criterion 1.4.3. */
const LEAST = 4.5

/** What makes text hard to read in these colours. Undefined if nothing does. */
function faint(
  scheme: Scheme,
  paper: string,
  accent: string,
): { of: 'paper' | 'accent'; words: string } | undefined {
  if (!/^#[0-9a-f]{6}$/.test(paper) || !/^#[0-9a-f]{6}$/.test(accent)) return undefined
  const { inkSoft, surface, onAccent } = paletteOf(scheme, { paper, accent })
  const said = (ratio: number) => `${ratio.toFixed(1)} to 1, and ${LEAST} is needed`
  const text = Math.min(contrast(inkSoft, paper), contrast(inkSoft, surface))
  if (text < LEAST) return { of: 'paper', words: `Text is hard to read on this background: ${said(text)}` }
  const link = Math.min(contrast(accent, paper), contrast(accent, surface))
  if (link < LEAST) return { of: 'accent', words: `Links are hard to read in this colour: ${said(link)}` }
  const button = contrast(onAccent, accent)
  if (button < LEAST)
    return { of: 'accent', words: `Buttons are hard to read in this colour: ${said(button)}` }
  return undefined
}

const readable = (scheme: Scheme) =>
  z.check<{ [K in `${'paper' | 'accent'}_${Scheme}`]: string }>(({ value, issues }) => {
    const found = faint(scheme, value[`paper_${scheme}`], value[`accent_${scheme}`])
    if (found)
      issues.push({ code: 'custom', message: found.words, input: value, path: [`${found.of}_${scheme}`] })
  })

const words = {
  name: required('Name', BRAND_LENGTHS.name),
  short_name: required('Short name', BRAND_LENGTHS.short_name),
  tagline: required('Tagline', BRAND_LENGTHS.tagline),
  description: required('Description', BRAND_LENGTHS.description),
  team: z.array(Member).check(z.maxLength(MAX_MEMBERS, `The team can have ${MAX_MEMBERS} people`)),
  paper_light: Colour,
  accent_light: Colour,
  paper_dark: Colour,
  accent_dark: Colour,
  hero_caption: optionalText('Caption', BRAND_LENGTHS.hero_caption),
  /** Where the picture leads: a path of this shop; '': nowhere. */
  hero_link: z
    .string('Please give an address of this shop, such as /products/7')
    .check(
      z.trim(),
      z.maxLength(BRAND_LENGTHS.hero_link, `Link cannot be more than ${BRAND_LENGTHS.hero_link} characters`),
      z.regex(
        /^(\/(?![/\\])[^\s\p{C}"'<>\\]*)?$/u,
        'Please give an address of this shop, such as /products/7',
      ),
    ),
}
/** Longest reason of a change, characters: that of a picture is a part of an address. */
export const BRAND_REASON_LENGTH = 200
const Reason = reasonUpTo(BRAND_REASON_LENGTH)

/** Name and look of the shop, and why they change. Every colour is '#rrggbb', and text in it can be read. */
export const BrandInput = z.object({ ...words, reason: Reason }).check(readable('light'), readable('dark'))
export type BrandInput = z.infer<typeof BrandInput>

/** Refusal of a version conflict: the change is based on an older version. */
export const BRAND_CHANGED =
  'Somebody else has saved name and look meanwhile. What you typed is still here: compare it, then save again'

/** What an operator sees. */
export const EditedBrand = z.object({
  ...words,
  /** Counts the changes of all this but the pictures. */
  version: z.number(),
  /** Whether an operator has saved it. Until then it is the brand of a new shop. */
  saved: z.boolean(),
  logo: z.nullable(Image),
  hero: z.nullable(Image),
})
export type EditedBrand = z.infer<typeof EditedBrand>

/** Pictures of the brand: the logo, and the one of the front page. */
export const PICTURES = ['logo', 'hero'] as const
const PictureOf = z.object({ picture: z.enum(PICTURES) })
export type BrandPicture = (typeof PICTURES)[number]

export const brandCalls = defineCalls({
  'GET /api/operate/brand': { summary: 'For operators: name and look of the shop', response: EditedBrand },
  'PUT /api/operate/brand': {
    summary:
      'For operators: change name and look of the shop. Colours in which text is hard to read are refused',
    headers: z.object({
      'expected-version': expectedVersion('Where the brand has another one: 409, and no change.'),
    }),
    body: BrandInput,
    response: EditedBrand,
  },
  'POST /api/operate/brand/:picture': {
    summary:
      'For operators: set the logo, or the picture of the front page (multipart, field "image"; no pdf)',
    params: PictureOf,
    query: z.object({ reason: Reason }),
    consumes: 'multipart',
    response: Image,
    status: 201,
  },
  'DELETE /api/operate/brand/:picture': {
    summary: 'For operators: remove the logo, or the picture of the front page; none is no error',
    params: PictureOf,
    query: z.object({ reason: Reason }),
    response: Done,
  },
})
