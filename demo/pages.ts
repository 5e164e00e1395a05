import type { Slug } from '#pages/contract.ts'

/** Pages about the shop, in Markdown. */
export const pages: Partial<Record<Slug, string>> = {
  about: `Everything here is made by hand, by people whom you can ask about it. This shop is a demo: the co-operative of Thrum, its makers and their pieces are invented.

## Who we are

We are a co-operative of makers who share a shop. Each maker sells in their own name and answers for their own pieces. The maker gets the whole price.

## How it works

You buy from the makers. When your cart has pieces of several makers, each of them gets an order, packs it and sends it. You pay the maker, in the way that they name.

## Joining us

Whoever makes things by hand may sell here. Sign up, and add your first piece.
`,
  contact: `## About an order

Please write to the maker first: every order has messages, and its maker reads them.

## About a piece

The page of each piece leads to its maker. Most makers answer questions before you buy.

## Something is wrong with a piece, a review or a shop

Its page has a link to report it. We read every report, decide with a reason, and whoever is concerned can object.
`,
  'delivery-and-returns': `## How ordering works

1. Put pieces of as many makers as you like into your cart.
2. Choose for each maker whether the pieces are sent or collected. The price of the postage is there before you order.
3. Place the order. Each maker gets one of their own, and tells you how to pay.
4. Your order says when it is sent, and with which number to follow it.

## Delivery

Each maker sends their own pieces, so one cart may arrive in several parcels. How long a piece takes to make, and where it can be collected, stands beside it.

## Returns

How a maker takes pieces back is on their page and beside each piece. When a piece is broken or not as described, write to the maker, with a photo if you can. They repair it, replace it, or return your money.
`,
  privacy: `This is a demo. Its people are invented, and the demo account is everybody’s: please type nothing that is yours.

## What is stored

What you type: an account, a cart, orders, messages and reviews. It stays on the computer of whoever has started this demo, until they delete it.

## Cookies

Only those that the shop needs: the one that keeps you logged in, one that recognises this browser, and your country for postage. There is no advertising and no statistics, and nothing is loaded from elsewhere.
`,
  terms: `This is a demo: nothing is for sale. No order is sent, and no money is asked for.

In a real shop, its operators write here what holds between the shop, its makers and its shoppers. They may ask new members to agree to it.
`,
  imprint: `The co-operative of Thrum is invented. This demo is run by whoever has started it.

In a real shop, the law often asks for the name and address of its operators here.
`,
}
