import { Link } from 'react-router'
import { AwayNotice } from '#postage/web/AwayNotice.tsx'
import { StarIcon } from '#ui/icons.tsx'
import type { Shop } from '../contract.ts'
import { Portrait } from './Portrait.tsx'
import './shop.css'

/** Self-description and rating of a seller. */
export function SellerProfile({ shop, own }: { shop: Shop; own: boolean }) {
  const { username, name, display_name, shows_name, place, words, picture, member_since, away } = shop
  return (
    <header className="maker-about">
      <Portrait picture={picture} username={username} />
      <div>
        <h1 dir="auto">{name || username}</h1>
        {shows_name && (
          <p className="maker-person" dir="auto">
            {display_name}
          </p>
        )}
        {name && (
          <p className="maker-username" dir="auto">
            {username}
          </p>
        )}
        {place && (
          <p className="maker-place" dir="auto">
            {place}
          </p>
        )}
        <MakerRating shop={shop} />
        <p className="maker-since">
          {'Member since '}
          <time dateTime={member_since}>{monthOf(member_since)}</time>
        </p>
        {words && (
          <p className="maker-words" dir="auto">
            {words}
          </p>
        )}
        {away && <AwayNotice username={username} away={away} />}
        {own && (
          <p>
            <Link className="alone" to="/settings/shop">
              Edit what people see here
            </Link>
          </p>
        )}
      </div>
    </header>
  )
}

/** Mean and number of the reviews of all their listings. Nothing without reviews. */
export function MakerRating({ shop: { rating, review_count } }: { shop: Shop }) {
  if (rating === null) return null
  const reviews = review_count === 1 ? '1 review' : `${review_count} reviews`
  return (
    <p className="maker-rating">
      <StarIcon filled />
      <span aria-hidden="true">{`${rating.toFixed(1)} from ${reviews}`}</span>
      <span className="visually-hidden">{`${rating.toFixed(1)} of 5 stars from ${reviews}`}</span>
    </p>
  )
}

/** 'March 2026', the same on the server and in every browser. */
const monthOf = (moment: string) =>
  new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(moment),
  )
