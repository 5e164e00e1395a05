import type { Brand } from '#brand'
import { escapeHtml } from '#html'
import { CATEGORIES, categoryPath } from '#products/categories.ts'

interface FooterParts {
  brand: Brand
  /** Links to the pages about the shop. */
  links: { path: string; name: string }[]
  demo: boolean
}

/** Pages about buying; the others are about the shop. */
const HELP = ['/delivery-and-returns', '/contact']

/** The footer of every page. It is no part of the application, so that no script has to load it. */
export function footerOf({ brand, links, demo }: FooterParts): string {
  const { name, tagline, team } = brand
  const shop = [
    { path: '/', name: 'All listings' },
    ...CATEGORIES.map(category => ({ path: categoryPath(category), name: category })),
  ]
  const people = [
    { path: '/makers', name: 'Makers' },
    { path: '/sell', name: 'Sell here' },
  ]
  const [help, about] = [true, false].map(wanted =>
    links.filter(({ path }) => HELP.includes(path) === wanted),
  )
  return `<footer class="site-footer"><div>
<p class="footer-brand"><strong>${escapeHtml(name)}</strong><span>${escapeHtml(tagline)}</span></p>
<div class="footer-columns">${column('Shop', shop)}${column('Makers', people)}${column('Help', help)}${column('About', about)}${teamOf(team)}</div>
${demo ? '<p>This is a demo: its people and pieces are invented, their pictures are computer-made.</p>' : ''}
</div></footer>`
}

const column = (title: string, links: FooterParts['links'] = []) =>
  links.length === 0
    ? ''
    : `<nav aria-label="${title}"><h2>${title}</h2><ul>${links
        .map(({ path, name }) => `<li><a href="${path}">${escapeHtml(name)}</a></li>`)
        .join('')}</ul></nav>`

function teamOf(team: Brand['team']): string {
  if (team.length === 0) return ''
  const members = team.map(({ name, role, profile }) => {
    const shown = escapeHtml(name)
    const who = profile
      ? `<a href="${escapeHtml(profile)}" rel="me noreferrer">${shown}</a>`
      : `<strong>${shown}</strong>`
    return `<li>${who}<span>${escapeHtml(role)}</span></li>`
  })
  return `<section class="team" aria-labelledby="team"><h2 id="team">The team</h2><ul>${members.join('')}</ul></section>`
}
