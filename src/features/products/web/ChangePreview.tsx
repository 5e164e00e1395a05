import type { ReactNode } from 'react'
import { Photo } from '#images/web/Photo.tsx'
import { dollars } from '#money'
import type { Change, Previewed, Values } from '../bulk-contract.ts'

interface Props {
  change: Change
  preview: Previewed
  /** The buttons below. */
  yes: ReactNode
}

/** A row for each listing: before and after, or why it is refused. */
export function ChangePreview({ change, preview: { rows }, yes }: Props) {
  const refused = rows.filter(({ problem }) => problem !== null).length
  return (
    <>
      <h2>What would change</h2>
      <p role="status">
        {`${counted(rows.length - refused)} would change`}
        {refused > 0 && `, ${counted(refused)} would not`}
        {'. Nothing is changed yet.'}
      </p>
      <table className="changes">
        <thead>
          <tr>
            <th scope="col">Piece</th>
            <th scope="col">Now</th>
            <th scope="col">Then</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ id, name, image, before, after, problem }) => (
            <tr key={id} className={problem === null ? undefined : 'refused'}>
              <th scope="row">
                <div className="piece">
                  {image && <Photo image={image} name={name ?? ''} sizes="3rem" silent />}
                  <span dir="auto">{name ?? `Listing ${id}`}</span>
                </div>
              </th>
              <td dir="auto">{before && shownOf(change, before)}</td>
              <td dir="auto">{problem ?? (after && shownOf(change, after))}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {yes}
    </>
  )
}

const counted = (pieces: number) => (pieces === 1 ? '1 piece' : `${pieces} pieces`)

/** What a change changes, in words. */
function shownOf(change: Change, values: Values): string {
  const { price, price_to, stock, combinations, section, tags, retired } = values
  if (change.startsWith('price'))
    return price === price_to ? dollars(price) : `${dollars(price)} to ${dollars(price_to)}`
  if (change.startsWith('stock'))
    return combinations > 0
      ? `${stock} in stock, in ${combinations === 1 ? '1 combination' : `${combinations} combinations`}`
      : `${stock} in stock`
  if (change.startsWith('tags')) return tags.join(', ') || 'No tags'
  if (change === 'section') return section ?? 'No section'
  return retired ? 'Retired' : 'Listed'
}
