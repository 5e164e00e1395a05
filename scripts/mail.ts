/**
 * `npm run mail -- list`: letters that wait or have failed, and why. `-- retry` makes them due again. `-- preview [FOLDER]`
 * writes every kind of letter with invented data as a page.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { letterKinds } from '../src/letters.ts'
import { connect } from '../src/platform/database/database.ts'
import { outboxCounts, retryAll, unsent } from '../src/platform/mail/outbox-report.ts'
import { builtPages } from '../src/platform/ssr/renderer.ts'
import { builtFrom } from './build.ts'
import { withCliContext } from './cli-context.ts'

/** Most letters of a list. */
const MOST_SHOWN = 100

const [command, argument] = process.argv.slice(2)
if (command === 'list' || command === 'retry') {
  await withCliContext(async ({ connection }) => {
    const { db, close } = connect(connection, 1)
    try {
      if (command === 'retry') return console.log(`${await retryAll(db)} letters are due again`)
      const { waiting, failed } = await outboxCounts(db)
      for (const { kind, subject, recipient, tries, created_at, due_at, last_error } of await unsent(
        db,
        MOST_SHOWN,
      )) {
        const state = due_at ? `next try ${due_at.toISOString()}` : 'FAILED'
        console.log(
          `${created_at.toISOString()} ${kind} ${subject} to user ${recipient}: ${state}, ${tries} tries. ${last_error ?? ''}`,
        )
      }
      console.log(`${waiting} letters wait, ${failed} have failed`)
    } finally {
      await close()
    }
  })
} else if (command === 'preview') {
  const folder = argument ?? 'letters'
  const { drawLetter } = await (await builtPages(await builtFrom(console.log))).renderer()
  await mkdir(folder, { recursive: true })
  const kinds = Object.entries(letterKinds)
  for (const [kind, { sample }] of kinds)
    await writeFile(join(folder, `${kind}.html`), drawLetter(sample, 'https://shop.example'))
  const links = kinds.map(([kind, { sample }]) => `<li><a href="${kind}.html">${kind}</a>: ${sample.subject}`)
  await writeFile(
    join(folder, 'index.html'),
    `<!doctype html><meta charset="utf-8"><title>Letters</title><h1>Letters</h1><ul>${links.join('\n')}</ul>\n`,
  )
  console.log(`${kinds.length} letters are in ${folder}/index.html`)
} else {
  console.error('npm run mail -- list, retry or preview [FOLDER]')
  process.exitCode = 1
}
