import { Form, Link, NavLink, useActionData, useLoaderData } from 'react-router'
import { dollars } from '#money'
import { Problems } from '#ui/fields.tsx'
import { useFlash } from '#ui/flash.ts'
import { Paging } from '#ui/Paging.tsx'
import { SubmitButton } from '#ui/SubmitButton.tsx'
import { useFocusOnResult } from '#ui/use-focus-on-result.ts'
import { useSending } from '#ui/use-sending.ts'
import type { Overview } from '../operate-contract.ts'
import { ConfirmForm } from './ConfirmForm.tsx'
import { NewMakers } from './NewMakers.tsx'
import { ListingList, OperatorList, OrderList, PersonList, ReviewList } from './OperateLists.tsx'
import { LogList } from './OperateLog.tsx'
import { type Loaded, OPERATE, type OperateResult, titleOf } from './operate.route.ts'
import { DONE, FIELDS, type OperateTexts } from './operateIntents.ts'
import { ReasonForm } from './ReasonForm.tsx'
import { ReportQueue } from './ReportQueue.tsx'
import { SettingsForm } from './SettingsForm.tsx'
import { SetupGuide } from './SetupGuide.tsx'
import { StillOpen } from './StillOpen.tsx'
import '#ui/figures.css'
import '#ui/sidebar.css'
import './operate.css'

const pages: [to: string, name: string][] = [
  ['', 'Today'],
  ['/reports', 'Reports'],
  ['/listings', 'Listings'],
  ['/reviews', 'Reviews'],
  ['/people', 'People'],
  ['/orders', 'Orders'],
  ['/makers', 'New makers'],
  ['/setup', 'Setup'],
  ['/brand', 'Name and look'],
  ['/settings', 'Settings'],
  ['/pages', 'Pages'],
  ['/operators', 'Operators'],
  ['/log', 'Log'],
]

/** The pages of operators, by their part of the address. */
export function Page() {
  const loaded = useLoaderData<Loaded>()
  const flash = useFlash<OperateResult>(DONE)
  const result = useActionData<OperateResult>() ?? flash
  const status = useFocusOnResult<HTMLParagraphElement>(result?.done && result)
  const isOpen = loaded.part !== 'confirm' && loaded.part !== 'closed'
  return (
    <div className="operate sidebar-page">
      {isOpen && <Navigation />}
      <section>
        <h1>{titleOf(loaded)}</h1>
        <p className="success" role="status" tabIndex={-1} ref={status}>
          {result?.done}
        </p>
        <Problems messages={result?.problems} />
        {(result?.closed || (result?.intent && loaded.part === 'closed')) && <Closed result={result} />}
        <Part loaded={loaded} result={result} />
        {'next_cursor' in loaded && <Paging next={loaded.next_cursor} />}
      </section>
    </div>
  )
}

function Part({ loaded, result }: { loaded: Loaded; result: OperateResult | undefined }) {
  switch (loaded.part) {
    case '':
      return <Today overview={loaded.overview} />
    case 'reports':
      return <ReportQueue {...loaded} result={result} />
    case 'listings':
      return <ListingList rows={loaded.rows} result={result} />
    case 'reviews':
      return <ReviewList rows={loaded.rows} result={result} />
    case 'people':
      return <PersonList rows={loaded.rows} result={result} />
    case 'orders':
      return <OrderList rows={loaded.rows} result={result} />
    case 'makers':
      return <NewMakers {...loaded} result={result} />
    case 'settings':
      return <SettingsForm settings={loaded.settings} result={result} />
    case 'setup':
      return <SetupGuide {...loaded} result={result} />
    case 'operators':
      return <OperatorList operators={loaded.operators} result={result} />
    case 'log':
      return <LogList entries={loaded.entries} />
    case 'confirm':
      return <ConfirmForm session={loaded.session} fields={result?.fields} />
    default:
      return null
  }
}

/** Links between the pages of operators. */
export function Navigation() {
  const busy = useSending()
  return (
    <nav aria-label="Operate">
      <ul>
        {pages.map(([to, name]) => (
          <li key={name}>
            <NavLink to={`${OPERATE}${to}`} end={to !== '/pages'}>
              {name}
            </NavLink>
          </li>
        ))}
      </ul>
      <Form method="post" action={OPERATE}>
        <SubmitButton className="button quiet" busy={busy} name="intent" value="leave">
          Leave these pages
        </SubmitButton>
      </Form>
    </nav>
  )
}

/** A form that was sent after the operator session had ended, with the typed texts. */
function Closed({ result }: { result: OperateResult }) {
  const { intent = '', id = 0 } = result
  const isOpen = useLoaderData<Loaded>().part !== 'closed'
  return (
    <div className="problems" role="alert">
      <StillOpen />
      {!isOpen && intent !== 'leave' && (
        <ReasonForm
          intent={intent}
          id={id}
          label="Send it again"
          about={`number ${id}`}
          withRule={result.typed?.rule !== ''}
          result={result}
        >
          {() => <Hidden typed={result.typed} />}
        </ReasonForm>
      )}
    </div>
  )
}

/** What was typed into fields that are not shown again. */
const Hidden = ({ typed }: { typed: OperateTexts | undefined }) =>
  FIELDS.filter(name => name !== 'reason' && name !== 'rule' && typed?.[name]).map(name => (
    <input key={name} type="hidden" name={name} value={typed?.[name]} />
  ))

const GIGABYTE = 1e9

function Today({ overview }: { overview: Overview }) {
  const { orders, sales, late, reports, objections, applications, letters_waiting, letters_failed, disk } =
    overview
  const facts: [name: string, value: string, to?: string][] = [
    ['Orders of the last 24 hours', String(orders), '/orders'],
    ['Their sum', dollars(sales)],
    ['Orders that are late', String(late), '/orders?late'],
    ['Reports that wait', String(reports), '/reports'],
    ['Objections that wait', String(objections), '/reports'],
    ['Applications that wait', String(applications), '/makers'],
    ['Letters that wait', String(letters_waiting)],
    ['Letters that have failed', String(letters_failed)],
    ...(disk
      ? [
          [
            'Free on the disk',
            `${(disk.free / GIGABYTE).toFixed(1)} of ${(disk.total / GIGABYTE).toFixed(1)} GB`,
          ] satisfies [string, string],
        ]
      : []),
  ]
  return (
    <>
      <dl className="figures">
        {facts.map(([name, value, to]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{to ? <Link to={OPERATE + to}>{value}</Link> : value}</dd>
          </div>
        ))}
      </dl>
      {letters_failed > 0 && (
        <p className="hint">
          {'Run '}
          <code>npm run mail -- list</code>
          {' on the server to see why. After you have fixed the cause, '}
          <code>npm run mail -- retry</code>
          {' sends them again.'}
        </p>
      )}
    </>
  )
}
