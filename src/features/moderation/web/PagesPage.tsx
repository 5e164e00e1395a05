import { Link, useActionData, useLoaderData, useLocation } from 'react-router'
import type { PageRow } from '#pages/contract.ts'
import { useFlash } from '#ui/flash.ts'
import { useFocusOnResult } from '#ui/use-focus-on-result.ts'
import { Navigation } from './OperatePage.tsx'
import { PageEditor } from './PageEditor.tsx'
import { DONE, type EditorResult, PAGES, type PagesLoaded, stateOf } from './pages.route.ts'
import '#ui/sidebar.css'
import './operate.css'

/** The pages about the shop, for operators: all of them, or one in the editor. */
export function Page() {
  const { pages, page, closed } = useLoaderData<PagesLoaded>()
  const flash = useFlash<EditorResult>(DONE)
  const result = useActionData<EditorResult>() ?? flash
  const status = useFocusOnResult<HTMLParagraphElement>(result?.done && result)
  const { pathname } = useLocation()
  return (
    <div className="operate sidebar-page">
      {!closed && <Navigation />}
      <section>
        <h1>{page?.title ?? 'Pages'}</h1>
        <p className="success" role="status" tabIndex={-1} ref={status}>
          {result?.done}
        </p>
        {page || closed ? (
          <PageEditor key={pathname} page={page} result={result} />
        ) : (
          <PageList pages={pages} />
        )}
      </section>
    </div>
  )
}

const PageList = ({ pages }: { pages: PageRow[] }) => (
  <>
    <p>What the shop says about itself. Published pages are linked below every page.</p>
    <ul className="rows">
      {pages.map(page => (
        <li key={page.slug}>
          <h2>
            <Link to={`${PAGES}/${page.slug}`}>{page.title}</Link>
          </h2>
          <p className="when">{stateOf(page)}</p>
        </li>
      ))}
    </ul>
  </>
)
