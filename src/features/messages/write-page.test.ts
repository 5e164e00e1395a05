import { expect, onTestFinished, test } from 'vitest'
import { urlencoded } from '../../../test/support/form-posts.ts'
import { openShop } from '../../../test/support/shop.ts'

test('a maker with any username can be written to', async () => {
  const shop = await openShop({ confirmed: true })
  onTestFinished(() => shop.close())
  const mila = await shop.signUp('mila')
  await shop.list(mila)
  const username = 'a/b%2F?#'
  await shop.rows(`update users set username = '${username}' where id = ${mila.user.id}`)
  const ana = await shop.signUp('ana')
  const path = `/messages/to/${encodeURIComponent(username)}`
  const page = await ana.get(path, { accept: 'text/html' })
  expect([page.status, page.body]).toEqual([200, expect.stringContaining('<textarea')])
  expect((await urlencoded(ana, path, { text: 'Is it blue?' })).status).toBe(303)
  expect((await mila.get('/api/messages/')).body).toMatchObject({
    conversations: [{ newest: { text: 'Is it blue?' } }],
  })
})
