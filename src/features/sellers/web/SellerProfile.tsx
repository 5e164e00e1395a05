import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { countryName } from '#addresses/countries.ts'
import { AwayNotice } from '#postage/web/AwayNotice.tsx'
import { StarIcon } from '#ui/icons.tsx'
import type { Shop } from '../contract.ts'
import { isLong } from '../long-words.ts'
import type { ShopPage } from '../shop-page-contract.ts'
import { Banner } from './Banner.tsx'
import { Portrait } from './Portrait.tsx'
import './shop.css'

interface SellerProfileProps {
  shop: Shop
  page: ShopPage
  /** Whether it is the user's own. */
  own: boolean
  /** How to write to them here. */
  children?: ReactNode
}

/** Photos, self-description, rating and contact of a seller. */
export function SellerProfile({ shop, page, own, children }: SellerProfileProps) {
  const { username, name, display_name, shows_name, place, words, picture, member_since, away } = shop
  return (
    <>
      {page.banner && <Banner image={page.banner} />}
      <header className="maker-about">
        <Portrait picture={picture} name={name || username} eager />
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
          <AtAGlance page={page} />
          <p className="maker-since">
            {'Member since '}
            <time dateTime={member_since}>{monthOf(member_since)}</time>
          </p>
          {words && <Words words={words} />}
          <Contact page={page}>{children}</Contact>
          {away && <AwayNotice name={display_name} away={away} />}
          {own && (
            <p>
              <Link className="alone" to="/settings/shop">
                Edit what people see here
              </Link>
            </p>
          )}
        </div>
      </header>
    </>
  )
}

/** '6 pieces · ships from Portugal'. */
function AtAGlance({ page: { pieces, ships_from } }: { page: ShopPage }) {
  const facts = [
    pieces > 0 && (pieces === 1 ? '1 piece' : `${pieces.toLocaleString('en-US')} pieces`),
    ships_from && `ships from ${countryName(ships_from)}`,
  ].filter(Boolean)
  if (facts.length === 0) return null
  // Browsers may know other names of countries.
  return (
    <p className="maker-glance" suppressHydrationWarning>
      {facts.join(' · ')}
    </p>
  )
}

/** What they say of themselves. On phones long text is cut to four lines, until it is opened; screen readers read all of it. */
function Words({ words }: { words: string }) {
  if (!isLong(words))
    return (
      <p className="maker-words" dir="auto">
        {words}
      </p>
    )
  return (
    <>
      <p className="maker-words long" dir="auto">
        {words}
      </p>
      <details className="whole-words">
        <summary className="link">
          <span className="closed">more</span>
          <span className="opened">less</span>
        </summary>
      </details>
    </>
  )
}

/** How to reach them, as they chose. */
function Contact({
  page: { contact_email: email, contact_phone: phone },
  children,
}: {
  page: ShopPage
  children: ReactNode
}) {
  if (!email && !phone && !children) return null
  return (
    <ul className="maker-contact">
      {children && <li>{children}</li>}
      {email && (
        <li>
          {'Write to '}
          <a
            className="alone"
            href={`mailto:${encodeURIComponent(email).replace('%40', '@')}`}
            rel="nofollow"
          >
            {email}
          </a>
        </li>
      )}
      {phone && (
        <li>
          {'Call '}
          <a className="alone" href={`tel:${dialled(phone)}`} rel="nofollow">
            {phone}
          </a>
        </li>
      )}
    </ul>
  )
}

/** What to dial: '+49 (0)30 123/45' has a zero only for calls within its country, and an extension after the stroke. */
const dialled = (phone: string) =>
  phone
    .replace(/^(\+[\d ]*)\(0\)/, '$1')
    .replace(/\/\d{1,2}$/, '')
    .replace(/(?!^\+)\D/g, '')

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
