import { XMLValidator } from 'fast-xml-parser'
import { parseAtomFeed } from 'feedsmith'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { faultsOfAtom, faultsOfJson } from '../support/feed-rules.ts'
import { openShop, type TestShop } from '../support/shop.ts'

const ATOM = '/feeds/listings.atom'
const JSON_FEED = '/feeds/listings.json'
let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
  const ana = await shop.signUp('ana')
  for (const name of ['Blue bowl', 'Felt hat']) await shop.list(ana, { name })
})
afterAll(() => shop.close())

test('the rules of Atom refuse an incomplete feed', async () => {
  const { body } = await shop.visitor().get(ATOM)
  const [id = ''] = /urn:uuid:[^<]+/.exec(body.slice(body.indexOf('<entry>'))) ?? []
  for (const [text, by, fault] of [
    [/<id>.*?<\/id>/, '', 'feed has no id'],
    [/<title>.*?<\/title>/, '<title/>', 'feed has no title'],
    [/<updated>.*?<\/updated>/, '', 'feed has no updated'],
    [/(<updated>)[^<]*/, '$1Sat, 21 Nov 2026 10:00:00 GMT', 'feed has a date that is none'],
    [/(<author><name>)[^<]*/, '$1', 'feed has a nameless author'],
    [/(<entry>)<id>.*?<\/id>/, '$1', 'entry 0 has no id'],
    [/(<entry><id>.*?<\/id>)<title>.*?<\/title>/, '$1', 'entry 0 has no title'],
    [/(<entry>.*?)<updated>.*?<\/updated>/, '$1', 'entry 0 has no updated'],
    [/(<entry>.*?href=")[^"]*/, '$1/products/1', 'entry 0 has a link to nowhere'],
    [/(<entry>.*?<category)[^>]*/, '$1/', 'entry 0 has a category without a term'],
    [/(<entry>.*<entry><id>)[^<]*/, `$1${id}`, `${id} is two entries`],
    [/<author>.*?<\/author>/g, '', 'entry 0 has no author'],
    [
      /(<entry>.*?)<link [^>]*>(.*?)<content .*?<\/content>/,
      '$1$2',
      'entry 0 has neither content nor an alternate link',
    ],
    [/ xmlns="[^"]*"/, '', 'there is no feed of Atom'],
  ] as const) {
    const spoilt = body.replace(text, by)
    expect(spoilt, fault).not.toBe(body)
    expect(faultsOfAtom(spoilt).join('\n'), fault).toContain(fault)
  }
})

test('the rules of JSON Feed refuse an incomplete feed', async () => {
  const { body } = await shop.visitor().get(JSON_FEED)
  const [first, second] = body.items
  const item = (change: object) => ({ items: [{ ...first, ...change }, second] })
  for (const [change, fault] of [
    [{ version: 'https://jsonfeed.org/version/1' }, 'version'],
    [{ title: undefined }, 'title'],
    [{ items: undefined }, 'items'],
    [{ feed_url: '/feeds/listings.json' }, 'feed_url'],
    [{ authors: [{}] }, 'authors.0'],
    [item({ id: undefined }), 'items.0.id'],
    [item({ id: second.id }), 'items: has one id for two items'],
    [item({ content_html: undefined }), 'items.0: has no content'],
    [item({ date_published: '21 Nov 2026' }), 'items.0.date_published: is no moment'],
  ] as const)
    expect(faultsOfJson({ ...body, ...change }), fault).toEqual([expect.stringContaining(fault)])
})

test('an empty shop has valid feeds', async () => {
  const empty = await openShop()
  try {
    const atom = (await empty.visitor().get(ATOM)).body
    expect(XMLValidator.validate(atom)).toBe(true)
    expect(faultsOfAtom(atom)).toEqual([])
    expect(parseAtomFeed(atom)).toMatchObject({ updated: '1970-01-01T00:00:00.000Z' })
    const json = (await empty.visitor().get(JSON_FEED)).body
    expect([json.items, faultsOfJson(json)]).toEqual([[], []])
  } finally {
    await empty.close()
  }
})
