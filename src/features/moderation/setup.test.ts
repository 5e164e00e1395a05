import { expect, test } from 'vitest'
import { brandInput } from '../../../test/support/brand.ts'
import { serveDns } from '../../../test/support/dns-server.ts'
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
    await otto.put('/api/operate/brand', brandInput)
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
    await otto.post('/api/operate/pages/about/publish', {
      version: version.body.id,
      reason: 'The meeting',
    })
    expect((await otto.post('/api/operate/setup/end', { reason: '' })).status).toBe(400)
    const reason = 'The doors open'
    for (let n = 0; n < 2; n++)
      expect((await otto.post('/api/operate/setup/end', { reason })).status).toBe(200)
    expect(await state()).toMatchObject({ brand: true, selling: true, pages_published: 1, ended: true })
    expect(await shop.rows(`select reason from operator_log where action = 'setup-ended'`)).toEqual([
      { reason },
    ])
  } finally {
    await shop.close()
    await mail.stop()
  }
})

test('the setup says what the DNS of the sender lacks, to operators alone', async () => {
  const dns = await serveDns()
  dns.records['shop.example'] = [['v=spf1 mx -all']]
  dns.broken.add('_dmarc.shop.example')
  const mail = await openMailServer()
  const shop = await openShop({ settings: mail.settings })
  try {
    const otto = await openOperator(shop)
    const { status, body } = await otto.get('/api/operate/setup/dns')
    expect([status, body.findings]).toEqual([
      200,
      [
        { record: 'SPF', is_fine: true, words: '"v=spf1 mx -all"' },
        { record: 'DKIM', is_fine: false, words: expect.stringContaining('letters are not signed') },
        { record: 'DMARC', is_fine: null, words: expect.stringContaining('could not be asked') },
      ],
    ])
    const page = async (path: string) => (await otto.get(path, { accept: 'text/html' })).body
    expect(await page('/operate/setup')).not.toContain('SPF: fine')
    expect(await page('/operate/setup?dns')).toContain('SPF: fine')
    const maker = await shop.signUp('maker')
    expect((await maker.get('/api/operate/setup/dns')).status).toBe(404)
  } finally {
    await shop.close()
    await mail.stop()
  }
})

test('without a mail server nobody asks the DNS', async () => {
  const shop = await openShop()
  try {
    const otto = await openOperator(shop)
    expect((await otto.get('/api/operate/setup/dns')).body).toEqual({ findings: [] })
    const { body } = await otto.get('/operate/setup', { accept: 'text/html' })
    expect(body).not.toContain('Check the DNS records')
  } finally {
    await shop.close()
  }
})
