import { expect, test } from 'vitest'
import { brandDraft } from '../../../test/support/brand.ts'
import { openMailServer } from '../../../test/support/mail-server.ts'
import { openOperator } from '../../../test/support/operators.ts'
import { openShop } from '../../../test/support/shop.ts'

test('the setup says what is left, and a test letter says whether it was sent', async () => {
  const mail = await openMailServer()
  const shop = await openShop({ settings: mail.settings })
  try {
    const otto = await openOperator(shop)
    const state = async () => (await otto.get('/api/operate/setup')).body
    expect(await state()).toEqual({
      brand: false,
      selling: false,
      letter: 'none',
      letter_error: '',
      has_mail_server: true,
      pages_published: 0,
      operators: 1,
      ended: false,
    })
    await otto.put('/api/operate/brand', brandDraft)
    const settings = { who_may_sell: 'approval', seller_details_required: false, reason: 'The meeting' }
    await otto.put('/api/operate/settings', settings)
    mail.refuse = { at: 'RCPT', status: 550, words: 'No such mailbox' }
    expect((await otto.post('/api/operate/setup/letter')).status).toBe(200)
    await expect.poll(async () => (await state()).letter, { timeout: 15_000 }).toBe('failed')
    expect((await state()).letter_error).toContain('No such mailbox')
    mail.refuse = undefined
    await otto.post('/api/operate/setup/letter')
    await expect.poll(async () => (await state()).letter, { timeout: 15_000 }).toBe('sent')
    expect(mail.letters).toMatchObject([
      { recipients: [otto.user.email], subject: 'A letter to try the mail of Harbour & Sons' },
    ])
    const page = (await otto.get('/api/operate/pages/about')).body
    const version = await otto.post('/api/operate/pages/about/versions', {
      text: 'We knit.',
      base: page.base,
    })
    await otto.post('/api/operate/pages/about/publish', { version: version.body.id })
    for (let n = 0; n < 2; n++) expect((await otto.post('/api/operate/setup/end')).status).toBe(200)
    expect(await state()).toMatchObject({ brand: true, selling: true, pages_published: 1, ended: true })
    expect(await shop.rows(`select 1 from operator_log where action = 'setup-ended'`)).toHaveLength(1)
  } finally {
    await shop.close()
    await mail.stop()
  }
})
