import { data, type LoaderFunctionArgs } from 'react-router'
import { firstCharacters } from '#text'
import { apiOf } from '#ui/api-client.ts'
import type { Handle } from '#ui/page-title.ts'
import { isSlug, type PublicPage, type Tag } from '../contract.ts'

/** Longest description of a page for search engines, characters. */
const DESCRIPTION_LENGTH = 160

const isInline = (tag: Tag | undefined) => tag !== undefined && ['em', 'strong', 'code', 'a'].includes(tag)

/** A page about the shop. @throws Response, Problem 404 if there is no such page, or it is not published */
export async function loader(args: LoaderFunctionArgs): Promise<PublicPage> {
  const { slug } = args.params
  if (!isSlug(slug)) throw data('There is nothing at this address', { status: 404 })
  return apiOf(args)('GET /api/pages/:slug', { params: { slug } })
}

export const handle: Handle<PublicPage> = {
  title: ({ title }) => title,
  description: ({ title, content }) => {
    const words = content.map(({ tag, words }) => words ?? (isInline(tag) ? '' : ' ')).join('')
    const text = words.replaceAll(/\s+/g, ' ').trim()
    return [...text].length > DESCRIPTION_LENGTH
      ? `${firstCharacters(text, DESCRIPTION_LENGTH - 1)}…`
      : text || title
  },
}
