import { Link } from 'react-router'
import type { Dimensions, ListingDetails } from '../details-contract.ts'
import { SIDES } from '../sides.ts'
import { storyBlocks } from '../story.ts'
import './aboutPiece.css'

/** What else the seller says of a listing. Nothing without details. */
export function AboutPiece({ details }: { details: ListingDetails }) {
  const { story, tags, materials, dimensions, weight_grams } = details
  const facts = [
    materials.length > 0 && ['Materials', materials.join(', ')],
    dimensions && ['Size', sizeOf(dimensions)],
    weight_grams !== null && ['Weight', weightOf(weight_grams)],
  ].filter(fact => Array.isArray(fact))
  if (story === '' && tags.length === 0 && facts.length === 0) return null
  return (
    <section className="about-piece" aria-labelledby="about-piece">
      <h2 id="about-piece">About this piece</h2>
      <div>
        {facts.length > 0 && (
          <dl>
            {facts.map(([label, fact]) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd dir="auto">{fact}</dd>
              </div>
            ))}
          </dl>
        )}
        {story !== '' && <Story story={story} />}
        {tags.length > 0 && (
          <ul className="tags" aria-label="Tags">
            {tags.map(tag => (
              <li key={tag}>
                <Link to={`/search?${new URLSearchParams({ q: tag })}`} dir="auto">
                  {tag}
                </Link>
              </li>
            ))}
          </ul>
        )}
      </div>
    </section>
  )
}

/** Paragraphs and lists. Each has a direction of its own. */
const Story = ({ story }: { story: string }) =>
  Object.entries(storyBlocks(story)).map(([place, { kind, lines }]) =>
    kind === 'list' ? (
      <ul className="entries" key={place}>
        {Object.entries(lines).map(([entry, line]) => (
          <li key={entry} dir="auto">
            {line}
          </li>
        ))}
      </ul>
    ) : (
      <p className="paragraph" key={place} dir="auto">
        {lines.join('\n')}
      </p>
    ),
  )

/** 'length 12.5 cm, width 8 cm'. */
const sizeOf = (dimensions: Dimensions) =>
  SIDES.flatMap(([, side, label]) => {
    const length = dimensions[side]
    return length === null ? [] : [`${label.toLowerCase()} ${length / 10} cm`]
  }).join(', ')

/** '340 g', '1.25 kg'. */
const weightOf = (grams: number) => (grams < 1_000 ? `${grams} g` : `${grams / 1_000} kg`)
