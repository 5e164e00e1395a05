import { expect } from 'vitest'
import { sellerDetails } from './fixtures.ts'
import { newcomer, PASSWORD, type Person, type TestResponse } from './person.ts'
import type { TestShop } from './shop.ts'
import { upload } from './uploads.ts'

interface People {
  shop: TestShop
  otto: Person
  ana: Person
  ben: Person
}

/** What operators set and decide, and what makers and new members answer. @param ana has got a notice @param ben has no listing */
export async function fillTablesOfOperators({ shop, otto, ana, ben }: People): Promise<void> {
  const reason = 'The meeting'
  const { id } = (await shop.signUp('mila')).user
  const done = async (response: Promise<TestResponse>) => {
    const { status, body } = await response
    expect([status, body.message]).toEqual([expect.toSatisfy((n: number) => n < 300), body.message])
    return body
  }
  await done(upload(otto, '/api/operate/brand/hero?reason=New', {}))
  await done(upload(ana, `/api/shops/${ana.user.username}/banner`, {}))
  await done(ana.put('/api/selling/details', sellerDetails))
  await done(otto.post('/api/operate/invitations', { note: 'The fair', uses: 3, days: 7 }))
  const { notices } = await done(ana.get('/api/notices/'))
  await done(ana.post(`/api/notices/${notices[0].id}/objection`, { words: 'It is mine' }))
  const { id: version } = await done(
    otto.post('/api/operate/pages/terms/versions', { text: 'Be kind.', base: null }),
  )
  await done(otto.post('/api/operate/pages/terms/publish', { version, reason }))
  await done(otto.put('/api/operate/pages/terms/agreement', { agreed_at_signup: true, reason }))
  const member = { ...newcomer(), password: PASSWORD, agreed: [version] }
  await done(shop.visitor().post('/api/auth/signup', member))
  const approval = {
    who_may_sell: 'approval',
    seller_details_required: false,
    product_safety_required: false,
  }
  await done(otto.put('/api/operate/settings', { ...approval, reason }))
  await done(ben.post('/api/selling/application', { words: 'I carve spoons' }))
  await done(otto.post(`/api/operate/people/${id}/suspend`, { reason, rule: '' }))
  // As before, for other tests.
  await done(otto.put('/api/operate/settings', { ...approval, who_may_sell: 'open', reason }))
  await done(otto.put('/api/operate/pages/terms/agreement', { agreed_at_signup: false, reason }))
}
