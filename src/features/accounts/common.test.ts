import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { expectFields, expectRefusal } from '../../../test/support/expect.ts'
import { urlencoded } from '../../../test/support/form-posts.ts'
import { openShop } from '../../../test/support/shop.ts'
import { hashPassword } from './passwords.ts'

test('the setting refuses common passwords for new passwords alone', async () => {
  const newcomer = (password: string) => {
    const username = `cy-${randomUUID().slice(0, 8)}`
    return { email: `${username}@example.com`, username, first_name: 'Cyd', last_name: 'Potter', password }
  }
  const strict = await openShop({ settings: { COMMON_PASSWORDS: 'refuse' } })
  const message = 'Many people use this password. Please choose another one'
  for (const common of ['123456', 'Password', 'QWERTY'])
    expectFields(await strict.visitor().post('/api/auth/signup', newcomer(common)), 400, {
      password: message,
    })
  const dan = await strict.signUp('dan')
  const change = (new_password: string) =>
    dan.post('/api/auth/password', { current_password: dan.password, new_password })
  expectRefusal(await change('iloveyou'), 400, message)
  const typed = { current_password: dan.password, new_password: 'iloveyou', confirm_password: 'iloveyou' }
  const page = (await urlencoded(dan, '/settings/security', { intent: 'password', ...typed })).body
  expect(page).toMatch(/<input[^>]*aria-invalid="true"[^>]*name="new_password"/)
  expect(page).toContain(message)
  expect((await change('a kiln at 6')).status).toBe(200)
  const hash = await hashPassword('Password')
  await strict.rows(`update users set password_hash = '${hash}' where id = ${dan.user.id}`)
  const early = { email: dan.user.email, password: 'Password' }
  expect((await strict.visitor().post('/api/auth/login', early)).status).toBe(200)
  await strict.close()
})
