import { data, type LoaderFunctionArgs } from 'react-router'
import { Problem } from '#problem'
import type { Handle } from '#web/head.ts'
import { type Browsed, browse } from './browse.ts'
import { type Category, categoryOf, wordsOf } from './categories.tsx'

/** A category, and what is found in it. */
export interface InCategory extends Browsed {
  category: Category
}

/** The listings of one category. @throws Problem 404 for an address that names none */
export async function loader(args: LoaderFunctionArgs) {
  const category = categoryOf(args.params.slug)
  if (!category) throw new Problem(404, 'There is no such category')
  const found: InCategory = { ...(await browse(args, { category })), category }
  return data(found, found.refused === undefined ? 200 : 400)
}

export const handle: Handle<InCategory> = {
  title: ({ category }) => category,
  description: ({ category }) => `${category}, made by hand. ${wordsOf(category)}`,
}
