/** Pages that show every kind of letter, for `npm run mail -- preview`. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Brand, defaultBrand } from '#brand'
import { escapeHtml } from '#html'
import type { Letter } from '#letter'
import { type LetterKinds, unsubscribeLink } from '../../src/platform/mail/delivery.ts'
import { letterText } from '../../src/platform/mail/letter-text.ts'

/** Origin of the links. */
const BASE = 'https://shop.example'
/** Widths of a phone and of the pane of a mail program, px. */
const [PHONE, PANE] = [320, 700]
const SCHEMES = ['light', 'dark']

/** The media query by which a letter becomes dark. */
const DARK = '@media (prefers-color-scheme:dark)'

/** A letter in this color scheme, for any scheme of the browser. A frame is as high as its letter. */
const frame = (html: string, width: number, scheme: string) => `
<figure><figcaption>${width} px, ${scheme}</figcaption>
<iframe title="${width} px, ${scheme}" width="${width}" style="color-scheme:${scheme}"
 srcdoc="${escapeHtml(html.replace(DARK, scheme === 'dark' ? '@media all' : '@media not all'))}"
 onload="this.height=this.contentDocument.documentElement.scrollHeight"></iframe></figure>`

const both = (html: string, width: number) => SCHEMES.map(scheme => frame(html, width, scheme)).join('')

const section = (kind: string, { subject }: Letter, html: string, text: string) => `
<section><h2 id="${kind}">${kind}</h2>
<p>Subject: <strong>${escapeHtml(subject)}</strong> · <a href="${kind}.html">page</a> · <a href="${kind}.txt">text</a></p>
<div>${both(html, PHONE)}
<figure><figcaption>text</figcaption><pre>${escapeHtml(text)}</pre></figure>${both(html, PANE)}</div></section>`

const page = (sections: string) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Letters</title>
<style>
body{margin:8px;background:#999;color:#000;font:16px/1.5 system-ui,sans-serif}
div{display:flex;flex-wrap:wrap;gap:16px;align-items:flex-start}
figure{margin:0;max-width:100%;overflow-x:auto}iframe{display:block;border:0}
pre{margin:0;padding:16px;width:640px;max-width:100%;box-sizing:border-box;white-space:pre-wrap;overflow-wrap:anywhere;background:#fff}
</style></head><body><h1>Letters</h1>${sections}
</body></html>
`

/**
 * Writes each kind of letter with invented data as a page and as text, and an index that shows all of them on a phone and in
 * a mail program, light and dark.
 */
export async function writePreviews(
  folder: string,
  kinds: LetterKinds,
  renderLetter: (letter: Letter, origin: string, brand: Brand) => string,
): Promise<void> {
  await mkdir(folder, { recursive: true })
  const sections: string[] = []
  for (const [kind, { sample, optional }] of Object.entries(kinds)) {
    const letter = { ...sample, stop: optional ? unsubscribeLink(optional, '/settings/letters') : undefined }
    const [html, text] = [
      renderLetter(letter, BASE, defaultBrand),
      letterText(letter, BASE, defaultBrand.name),
    ]
    await writeFile(join(folder, `${kind}.html`), html)
    await writeFile(join(folder, `${kind}.txt`), text)
    sections.push(section(kind, sample, html, text))
  }
  await writeFile(join(folder, 'index.html'), page(sections.join('\n')))
}
