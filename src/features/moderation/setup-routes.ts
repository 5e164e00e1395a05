import type { FastifyInstance } from 'fastify'
import { operatorGuard, requireOperator } from '#operators/require-operator.ts'
import { createApi } from '#platform/api/api.ts'
import { consume } from '#platform/http/rate-limit.ts'
import { checkSender } from '#platform/mail/dns-check.ts'
import { endSetup } from '#site/settings.ts'
import * as setup from './setup.ts'
import { setupCalls } from './setup-contract.ts'

/** What a new shop needs, for its operators. */
export function setupRoutes(app: FastifyInstance): void {
  const on = createApi(app, setupCalls)

  on('GET /api/operate/setup', async (_, request) => {
    const { id } = await requireOperator(request)
    return { ...(await setup.state(app.db, id)), has_mail_server: app.config.mail.smtpUrl !== undefined }
  })

  on('GET /api/operate/setup/dns', async (_, request) => {
    const { id } = await requireOperator(request)
    await consume(app, 'changes', id)
    const { mail } = app.config
    const findings = mail.smtpUrl === undefined ? [] : await checkSender(mail)
    return {
      findings: findings.map(({ isFine = null, ...finding }) => ({ ...finding, is_fine: isFine })),
    }
  })

  on('POST /api/operate/setup/end', operatorGuard, async ({ body }, request) => {
    const { id } = await requireOperator(request)
    await endSetup(app.db, id, body.reason)
    return { message: 'The setup has ended' }
  })

  on('POST /api/operate/setup/letter', operatorGuard, async (_, request) => {
    const { id } = await requireOperator(request)
    await consume(app, 'changes', id)
    await setup.sendTestLetter(app.db, id)
    return { message: 'A letter is on its way to you' }
  })
}
