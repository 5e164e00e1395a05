import type { Slug } from './contract.ts'

const about = `Everything here is made by hand, by people whom you can ask about it.

## Who we are

We are a co-operative of makers: [name of the co-operative], at home in [town or region]. Each maker has a shop of their own here, sells in their own name, and answers for their own pieces. The co-operative runs this site.

## How it works

You buy from the makers. When your cart has pieces of several makers, each of them gets an order, packs it and sends it. You pay the maker, in the way that they name.

## Joining us

[who can join, and whom to write to]
`

const contact = `## About an order

Please write to the maker first: every order has messages, and its maker reads them.

## About this site

- Email: [email address]
- Telephone: [telephone number and hours]
- Post: [name and address of the co-operative]

We write in [languages]. Authorities reach us at the same email address.

## Something is wrong with a piece, a review or a shop

Each of them has a link "Report". We read every report, decide with a reason, and whoever is concerned can object.
`

const deliveryAndReturns = `## Delivery

Each maker sends their own pieces, so one cart may arrive in several parcels. Where a maker sends to, what it costs and how long it takes stands beside every piece, and once more before you order.

## You may change your mind

If you buy as a consumer in the European Union, you may withdraw from the contract within 14 days, without a reason. The 14 days begin when you, or somebody whom you name, have received the last piece of an order.

Tell the maker so in clear words before the 14 days are over, in a message about the order or by letter. These words do: "I withdraw from my order number … of … . My name and address: …". The maker confirms it at once.

Send the piece back within 14 days of your message. The maker returns what you paid, and the cheapest postage that they offered, within 14 days of it, but may wait until the piece has come back or you show that you have sent it. [who pays for sending it back]

You answer for a loss in value only if you have handled the piece more than is needed to see what it is like.

## When you may not

Pieces that were made to your wishes or clearly for you, such as one with a name on it, cannot be returned for a change of mind. The same holds for sealed goods that are not fit to be returned for health or hygiene once they are opened.

## When a piece is broken or not as described

Then the law is on your side, whatever stands above: write to the maker, with a photo if you can. They repair it, replace it, or return your money.
`

const privacy = `## Who is responsible

[name and address of the co-operative], [email address]. Each maker is responsible for what they do with the addresses of their orders.

## What we store, and why

- **Your account**: name, username, email address, and a password that we cannot read. We need it for the contract with you (Art. 6(1)(b) GDPR).
- **Your orders**: what you bought, where it goes, and the messages about it. The maker of each piece reads them, because they send it. Contract, and the law on bookkeeping (Art. 6(1)(b) and (c)).
- **Your listings, reviews and photos**: everybody can read them, because you publish them.
- **Technical records**: address, time and browser of a request, to keep the shop safe (Art. 6(1)(f)). We delete them after [number of days].

## Cookies

Only those that the shop needs: the one that keeps you logged in, one that knows this browser again, and your country for postage. Nobody follows you here: we have no advertising and no statistics of others.

## Who else gets it

The makers of your orders, and those who run our computers: [hosting company and country], [email company and country].

## How long

Your account stays until you delete it. Orders stay as long as the law asks for books to be kept, [number] years, but without the person once the account is deleted.

## Your rights

You can see, correct, delete and take away what is stored about you: under Settings there is a file with everything, and the deletion of the account. You can object, ask us to restrict what we do, and complain to [data protection authority].
`

const terms = `## Who makes a contract with whom

This site is run by [name and address of the co-operative]. You buy from the makers: each sells in their own name, and the contract about a piece is between you and its maker. Each maker's page says who they are. A maker who sells as a business says so, with their name and address; the rights of consumers hold against them alone.

## Ordering

A piece in the shop is an invitation. With the button that places the order you make an offer to its maker, and the contract is made when they confirm it. Prices are whole prices; postage stands beside them before you order.

## Selling

Makers sell what they have made themselves, describe it truly, own the pictures or may use them, and keep the laws that hold for their pieces, such as the warnings that a toy needs. They send what was ordered in the time that they name.

## What may not be here

Copies of the work of others, what is against the law, and what hurts people. Reviews are by those who know the piece, and say what is true.

## What we do about it

Anybody can report a piece, a review or a shop. People decide, not programs. We can hide a piece or a review and suspend an account, tell whom it concerns why, and they can object; another operator answers if there is one.

## How lists are ordered

By what fits the words of a search, then by the order that you choose. Nobody can pay for a better place.

## Changes of these terms

We publish them here with their date, and write to everybody with an account at least 15 days before they hold. [law that applies, and court]
`

const imprint = `## This site is run by

[name and legal form of the co-operative]
[street, postcode, town, country]

- Represented by: [names]
- Email: [email address]
- Telephone: [telephone number]
- Register: [register and number]
- VAT number: [VAT number]
- Supervised by: [authority, or take this line away]

The makers sell in their own name. Who they are stands on their pages.

## Contact under the Digital Services Act

Authorities and users write to [email address], in [languages].

## Disputes

[whether you take part in dispute resolution for consumers, and where]
`

/**
 * The first text of each page, until an operator edits it. Texts in brackets must be filled in before it is
 * published.
 */
export const drafts: Record<Slug, string> = {
  about,
  contact,
  'delivery-and-returns': deliveryAndReturns,
  privacy,
  terms,
  imprint,
}
