import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { MakerLink } from '#accounts/web/MakerLink.tsx'
import { Photo } from '#images/web/Photo.tsx'
import { listedPrice } from '#products/listed-price.ts'
import type { CardListing } from '#products/web/card-listing.ts'
import type { Shop } from '../contract.ts'
import { firstWords } from '../first-words.ts'
import { Portrait } from './Portrait.tsx'
import { MakerRating } from './SellerProfile.tsx'
import './shop.css'

interface MeetMakerProps {
  shop: Shop
  pieces: CardListing[]
  /** How to ask them. */
  children?: ReactNode
}

/** Who made a piece: portrait, place, rating, the first words, and other pieces of theirs. */
export function MeetMaker({ shop, pieces, children }: MeetMakerProps) {
  const { username, display_name, place, words, picture } = shop
  return (
    <section className="meet-maker" aria-labelledby="meet-maker">
      <h2 id="meet-maker">Meet the maker</h2>
      <div className="who">
        <Portrait picture={picture} name={display_name} />
        <div>
          <p className="maker-name" dir="auto">
            {display_name}
          </p>
          {place && (
            <p className="maker-place" dir="auto">
              {place}
            </p>
          )}
          <MakerRating shop={shop} />
        </div>
      </div>
      {words && (
        <p className="first-words" dir="auto">
          {firstWords(words)}
        </p>
      )}
      {children && <p>{children}</p>}
      {pieces.length > 0 && (
        <ul className="their-pieces">
          {pieces.map(piece => (
            <li key={piece.id}>
              <Link to={`/products/${piece.id}`}>
                <Photo image={piece.images[0]} name={piece.name} sizes="12rem" silent />
                <span className="card-name" dir="auto">
                  {piece.name}
                </span>
                <span className="card-price">{listedPrice(piece)}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
      <p>
        <MakerLink className="alone" username={username}>
          {`Everything by ${display_name}`}
        </MakerLink>
      </p>
    </section>
  )
}
