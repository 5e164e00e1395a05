import { type Brand, iconPath } from '#brand'
import { escapeHtml } from '#html'

/** URLs of the built files that a document links. */
export interface Assets {
  starter: string
  scripts: string[]
  styles: string[]
  /** Those that the pages of more-routes.ts need beside them. */
  moreStyles: string[]
  fonts: string[]
}

const iconsOf = (brand: Brand) =>
  [
    `<link rel="icon" href="${iconPath(brand, 'icon-192.png')}" sizes="192x192">`,
    ...(brand.version
      ? []
      : [
          '<link rel="icon" href="/favicon.ico" sizes="32x32">',
          '<link rel="icon" href="/assets/favicon.svg" type="image/svg+xml" sizes="any">',
        ]),
    `<link rel="apple-touch-icon" href="${iconPath(brand, 'apple-touch-icon.png')}">`,
  ].join('\n')

interface DocumentParts {
  head: string
  body: string
  footer: string
  state: string
  assets: Assets
  needsMoreStyles: boolean
  brand: Brand
}

/** The document of a page: its head, the application, the footer, and the data for the browser. */
export function documentOf({
  head,
  body,
  footer,
  state,
  assets,
  needsMoreStyles,
  brand,
}: DocumentParts): string {
  const { light, dark } = brand.colours
  // React puts preloads of the first pictures first; they belong into the head.
  const [preloads = ''] = /^(?:<link [^>]*>)+/.exec(body) ?? []
  const links = [
    ...[
      ...assets.styles,
      ...(needsMoreStyles ? assets.moreStyles : []),
      ...(brand.version ? [`/brand/${brand.version}/colours.css`] : []),
    ].map(href => `<link rel="stylesheet" href="${href}">`),
    ...assets.fonts.map(
      href => `<link rel="preload" as="font" type="font/woff2" href="${href}" crossorigin>`,
    ),
  ].join('')
  return `<!doctype html>
<html lang="en" class="arriving">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${head}
<meta name="theme-color" media="(prefers-color-scheme: light)" content="${light.paper}">
<meta name="theme-color" media="(prefers-color-scheme: dark)" content="${dark.paper}">
${iconsOf(brand)}
<link rel="manifest" href="/manifest.webmanifest">
<link rel="search" type="application/opensearchdescription+xml" title="${escapeHtml(brand.name)}" href="/opensearch.xml">
${links}${preloads}
</head>
<body>
<div id="root">${body.slice(preloads.length)}</div>${footer}
<script type="application/json" id="state" data-scripts="${assets.scripts.join(' ')}">${state}</script>
<script type="module" src="${assets.starter}"></script>
</body>
</html>`
}
