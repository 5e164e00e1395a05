import { type Brand, iconPath } from '#brand'
import { escapeHtml } from '#html'
import type { Assets } from '#platform/ssr/renderer.ts'

/** The heading of every error page. */
const UNEXPECTED = 'Unexpected Application Error!'
const reasons: Record<number, string> = {
  400: 'This address cannot be read. Please check it, or begin at the front page.',
  414: 'This address is too long. Please check it, or begin at the front page.',
  429: 'Too many files at once. Nothing you did is lost. Please wait until the others have arrived, then try again.',
  503: 'The shop is busy or being restarted. Nothing you did is lost. Please try again in a moment.',
}
const ON_OUR_SIDE = 'Something went wrong on our side. Nothing you did is lost.'

/** The drawing of the error pages, inline. */
const WOOL = `<circle cx="38" cy="42" r="27"/>
<path d="M17 26c15 1 32 14 37 37M30 16c14 4 28 17 34 33M13 40c11 0 23 10 26 28"/>
<path d="M38 69h18c11 0 10-13 20-13s11 14 2 14-5-12 4-12" stroke="var(--accent)"/>`

const drawn = (grid: number, size: number, line: number, lines: string) =>
  `<svg class="icon" viewBox="0 0 ${grid} ${grid}" width="${size / 16}rem" height="${size / 16}rem" fill="none" stroke="currentColor" stroke-width="${line}" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${lines}</svg>`

/**
 * An error page of about 2 kB that needs no rendering, for errors of the renderer and for load shedding. It loads the stylesheets
 * only, which are never refused and are mostly in the browser's cache.
 * @param requestId is shown with status 500, to be found in the log
 */
export function staticErrorPage(
  { styles }: Pick<Assets, 'styles'>,
  brand: Brand,
  status: number,
  requestId: string,
): string {
  const name = escapeHtml(brand.name)
  const sheets = brand.version ? [...styles, `/brand/${brand.version}/colours.css`] : styles
  const icon = brand.version
    ? `<link rel="icon" href="${iconPath(brand, 'icon-32.png')}">`
    : '<link rel="icon" href="/assets/favicon.svg" type="image/svg+xml">'
  const logo = brand.logo
    ? `<img src="${brand.logo.url}" alt="" height="32">`
    : drawn(24, 32, 3, `<path d="${brand.mark}"/>`)
  const number =
    status === 500 ? `<p>If you tell us about it, please add this number: <code>${requestId}</code></p>` : ''
  const text = reasons[status] ?? ON_OUR_SIDE
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${UNEXPECTED} · ${name}</title>${sheets.map(href => `<link rel="stylesheet" href="${href}">`).join('')}
${icon}</head>
<body><header class="site-header"><a class="logo" href="/" aria-label="${name}, home">${logo}
<span aria-hidden="true">${escapeHtml(brand.shortName)}</span></a></header>
<main><section class="notice">${drawn(96, 96, 2.5, WOOL)}
<h1>${UNEXPECTED}</h1>
<p>${text}</p>${number}
<p class="actions"><a class="button" href="">Try again</a>
<a class="button quiet" href="/">Back to the shop</a></p></section></main></body></html>`
}
