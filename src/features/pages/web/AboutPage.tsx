import { useLoaderData } from 'react-router'
import { formatDate } from '#format-date'
import type { loader } from './page.route.ts'
import { Written } from './Written.tsx'
import './pages.css'

/** A page about the shop. */
export function Page() {
  const { title, content, published_at } = useLoaderData<typeof loader>()
  return (
    <article className="written">
      <h1>{title}</h1>
      <Written steps={content} />
      <p className="as-of">{`As of ${formatDate(published_at)}`}</p>
    </article>
  )
}
