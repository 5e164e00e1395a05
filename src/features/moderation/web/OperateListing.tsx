import { Link } from 'react-router'
import { MakerName } from '#accounts/web/MakerName.tsx'
import { formatDate } from '#format-date'
import { Photo } from '#images/web/Photo.tsx'
import type { ListingRow } from '../rows-contract.ts'
import { READ_BY_PERSON, reportsWords } from './OperateRows.tsx'
import type { OperateResult } from './operate.route.ts'
import { ReasonForm } from './ReasonForm.tsx'

const states: Record<ListingRow['state'], string> = {
  listed: 'For sale',
  hidden: 'Hidden',
  suspended: 'Hidden: its maker is suspended',
  retired: 'Retired by its maker',
}

/** A listing, and what an operator can do with it. */
export function ListingItem({ listing, result }: { listing: ListingRow; result: OperateResult | undefined }) {
  const { id, name, state } = listing
  const isHidden = state === 'hidden'
  return (
    <>
      <ListingContent listing={listing} />
      <ReasonForm
        intent={isHidden ? 'show-listing' : 'hide-listing'}
        id={id}
        label={isHidden ? 'Show again' : 'Hide'}
        about={name}
        hint={READ_BY_PERSON}
        withRule={!isHidden}
        result={result}
      />
    </>
  )
}

/** What a listing shows, also while it is hidden. */
export function ListingContent({ listing }: { listing: ListingRow }) {
  const { id, name, description, seller, seller_suspended, created_at, images, state, open_reports } = listing
  return (
    <>
      <h2 dir="auto">{state === 'listed' ? <Link to={`/products/${id}`}>{name}</Link> : name}</h2>
      <p className="when">
        {'By '}
        <MakerName username={seller} suspended={seller_suspended} />
        {`, since ${formatDate(created_at)}. Number ${id}. ${states[state]}.`}
        {open_reports > 0 && ` ${reportsWords(open_reports)}.`}
      </p>
      <p className="quoted" dir="auto">
        {description}
      </p>
      {images.length > 0 && (
        <ul className="its-photos">
          {images.map((image, index) => (
            <li key={image.id}>
              <a href={image.url} aria-label={`Photo ${index + 1} of ${name} in full size`}>
                <Photo image={image} name={name} sizes="6rem" whole silent />
              </a>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
