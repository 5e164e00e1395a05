/**
 * `npm run mail -- list`: letters that wait or have failed, and why. `-- retry` makes letters due that have failed or
 * wait after an error. `-- test ADDRESS` sends a letter at once, and lists the DNS records that the sender lacks.
 * `-- preview [FOLDER]` writes every kind of letter with invented data as a page.
 */
import { defaultBrand } from '#brand'
import { letterKinds } from '../src/letters.ts'
import { mailbox } from '../src/platform/config/setting-types.ts'
import { listUnsent, outboxCounts, retryAll } from '../src/platform/mail/outbox-admin.ts'
import { builtPages } from '../src/platform/ssr/renderer.ts'
import { ensureBuilt } from './build.ts'
import { shopOrigin, withCliDatabase, withSettings } from './cli/context.ts'
import { readArguments } from './cli/read-arguments.ts'
import { writePreviews } from './mail/letter-preview.ts'
import { sendTestLetter } from './mail/test-letter.ts'

/** Most letters of a list. */
const MAX_SHOWN = 100

const list = () =>
  withCliDatabase(async ({ db }) => {
    const { letters, all } = await listUnsent(db, MAX_SHOWN)
    if (all > letters.length) console.log(`${letters.length} of ${all}, those with an error before others:`)
    for (const letter of letters) {
      const { kind, subject, recipient, tries, created_at, due_at, last_error } = letter
      const state = due_at ? `next try ${due_at.toISOString()}` : 'FAILED'
      console.log(
        `${created_at.toISOString()} ${kind} ${subject} to user ${recipient}: ${state}, ${tries} tries. ${last_error ?? ''}`,
      )
    }
    const { waiting, failed } = await outboxCounts(db)
    console.log(`Letters that wait: ${waiting}, that have failed: ${failed}`)
  })

const retry = () =>
  withCliDatabase(async ({ db }) => console.log(`Letters that are due again: ${await retryAll(db)}`))

const renderer = async () => (await builtPages(await ensureBuilt(console.log))).renderer()

const test = (argument: string | undefined) =>
  withSettings(async config => {
    const { data: to } = mailbox('ADDRESS').safeParse(argument ?? '')
    if (!to) throw new Error('To whom? npm run mail -- test someone@example.com')
    const { renderLetter } = await renderer()
    const origin = shopOrigin(config)
    const sent = await sendTestLetter({
      config,
      to: to.address,
      render: async letter => renderLetter(letter, origin, defaultBrand),
      brand: defaultBrand,
      origin,
      log: console.log,
    })
    if (!sent) process.exitCode = 1
  })

const preview = (folder: string | undefined = 'letters') =>
  withSettings(async () => {
    const { renderLetter } = await renderer()
    await writePreviews(folder, letterKinds, renderLetter)
    console.log(`${Object.keys(letterKinds).length} letters are in ${folder}/index.html`)
  })

const USAGE = 'npm run mail -- list, retry, test ADDRESS or preview [FOLDER]'
const commands: Record<string, (argument?: string) => Promise<void>> = { list, retry, test, preview }
const takesArgument = ['test', 'preview']
const {
  arguments: [name = '', argument],
} = readArguments(USAGE, { most: 2 })
const command = Object.hasOwn(commands, name) ? commands[name] : undefined
if (command && (argument === undefined || takesArgument.includes(name))) await command(argument)
else {
  console.error(USAGE)
  process.exitCode = 1
}
