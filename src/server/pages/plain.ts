import type { Assets } from './renderer.ts'

const unexpected = [
  'Unexpected Application Error!',
  'Something went wrong on our side. Nothing you did is lost.',
] as const
const busy = [
  'The shop is very busy',
  'Please wait a moment and try again. Nothing you did is lost.',
] as const

/** The page for when nothing can be rendered, or nothing should be: it asks for nothing. */
export function plainPage({ styles }: Assets, status: number, requestId: string): string {
  const number =
    status === 500 ? `<p>If you tell us about it, please add this number: <code>${requestId}</code></p>` : ''
  const [title, text] = status === 503 ? busy : unexpected
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>${styles.map(href => `<link rel="stylesheet" href="${href}">`).join('')}</head>
<body><main class="notice"><h1>${title}</h1>
<p>${text}</p>${number}<p><a href="/">Back to the shop</a> · <a href="">Try again</a></p></main></body></html>`
}
