// What happened in the demo shop before it was opened: how makers send, orders in every state, payments and messages. People
// and places are invented.

import type { Answer } from '#products/questions-contract.ts'

/** How the pieces of a maker reach people. Prices are integer cents, inside the country and elsewhere. */
interface Postage {
  /** Username. */
  maker: string
  name: string
  first: number
  further: number
  abroad: number
  /** Most days until a piece is ready. */
  handling: number
  /** Where and when pieces can be collected. */
  place: string
  hours: string
}

export const postage: Postage[] = [
  {
    maker: 'wren_thistledown',
    name: 'Straw and a strong box',
    first: 750,
    further: 250,
    abroad: 2400,
    handling: 5,
    place: 'Lower Kiln Lane, by the ford',
    hours: 'Fridays, 2 to 6 pm',
  },
  {
    maker: 'odo_birchwhistle',
    name: 'Brown paper parcel',
    first: 650,
    further: 200,
    abroad: 2200,
    handling: 7,
    place: 'Upper Sawmill, second shed',
    hours: 'Saturdays until noon',
  },
  {
    maker: 'marla_loomsworth',
    name: 'Soft parcel',
    first: 450,
    further: 100,
    abroad: 1500,
    handling: 10,
    place: 'Over the old wool shop, Teasel Hill',
    hours: 'Any afternoon, ring twice',
  },
  {
    maker: 'pim_copperkettle',
    name: 'Small box, insured',
    first: 500,
    further: 50,
    abroad: 1400,
    handling: 4,
    place: 'Tinkers’ Yard',
    hours: 'Weekdays, 9 am to 4 pm',
  },
  {
    maker: 'tilda_hobnail',
    name: 'Shoe box',
    first: 600,
    further: 200,
    abroad: 1900,
    handling: 14,
    place: 'Cobbler’s Steps, halfway down',
    hours: 'Tuesdays and Thursdays',
  },
  {
    maker: 'juniper_peggs',
    name: 'Box with shavings',
    first: 600,
    further: 150,
    abroad: 1900,
    handling: 4,
    place: 'The Old Signal Box',
    hours: 'Between two trains',
  },
  {
    maker: 'fenwick_inkpot',
    name: 'Flat and stiff',
    first: 900,
    further: 300,
    abroad: 2800,
    handling: 3,
    place: 'The attic with the north light',
    hours: 'Mornings, before ten',
  },
  {
    maker: 'bea_honeycroft',
    name: 'Padded bag',
    first: 400,
    further: 100,
    abroad: 1300,
    handling: 3,
    place: 'Orchard End, past the hives',
    hours: 'Weekends, mind the bees',
  },
  {
    maker: 'ansel_weftley',
    name: 'Rolled, in a tube',
    first: 700,
    further: 250,
    abroad: 2100,
    handling: 21,
    place: 'Above the bakery, Loom Street',
    hours: 'When the bakery is open',
  },
  {
    maker: 'demo',
    name: 'Parcel',
    first: 550,
    further: 150,
    abroad: 1800,
    handling: 6,
    place: 'A shed at the bottom of the garden',
    hours: 'Sundays, 10 am to 1 pm',
  },
]

/** The same for all: how to pay, in the words of the makers. */
export const paymentWords =
  'In cash when you collect it, or by transfer: the slip is in the parcel. Two weeks are fine.'

interface Home {
  /** Username. */
  shopper: string
  line1: string
  city: string
  region: string
  postal_code: string
}

export const homes: Home[] = [
  {
    shopper: 'hattie_puddleby',
    line1: '3 Duckboard Row',
    city: 'Nether Puddle',
    region: 'OR',
    postal_code: '00003',
  },
  {
    shopper: 'corin_mossgrove',
    line1: '18 Fern Steps',
    city: 'Mossgrove',
    region: 'WA',
    postal_code: '00018',
  },
  {
    shopper: 'ottilie_brambling',
    line1: '7 Hedge End',
    city: 'Bramble Cross',
    region: 'VT',
    postal_code: '00007',
  },
  { shopper: 'rufus_teacosy', line1: '1 Kettle Court', city: 'Steeping', region: 'ME', postal_code: '00001' },
  {
    shopper: 'nell_larkspurrow',
    line1: '22 Larkspur Row',
    city: 'Upper Petal',
    region: 'NH',
    postal_code: '00022',
  },
  {
    shopper: 'barnaby_drizzle',
    line1: '9 Gutter Lane',
    city: 'Little Drizzle',
    region: 'OR',
    postal_code: '00009',
  },
  { shopper: 'demo', line1: '40 Example Street', city: 'Sampleton', region: 'VT', postal_code: '00040' },
]

/** What became of an order. Those that are `open`, `ready` or `collected` are picked up. */
export type Fate =
  | 'open'
  | 'waiting'
  | 'ready'
  | 'part-sent'
  | 'sent'
  | 'received'
  | 'collected'
  | 'cancelled'

interface Past {
  /** Username. */
  shopper: string
  /** Key of the listing. */
  listing: string
  quantity: number
  /** To the questions of the listing. */
  answers?: Answer[]
  /** How many days ago. */
  days: number
  fate: Fate
  /** From the oldest to the newest; the last one of the other side is unread where `unread` is true. */
  messages?: { by: 'shopper' | 'maker'; text: string }[]
  unread?: true
}

/** Somebody's question about a piece, before an order. */
interface PastConversation {
  /** Usernames. */
  shopper: string
  maker: string
  /** Key of the listing. */
  listing: string
  /** How many days ago it began. */
  days: number
  /** From the oldest to the newest; the last one is unread where `unread` is true. */
  messages: { by: 'shopper' | 'maker'; text: string }[]
  unread?: true
}

/** Conversations of the demo account: as a maker, and as a shopper. */
export const pastConversations: PastConversation[] = [
  {
    shopper: 'demo',
    maker: 'odo_birchwhistle',
    listing: 'solitaire-board',
    days: 40,
    messages: [
      { by: 'shopper', text: 'Could the board come with brown marbles? My aunt plays on a green cloth.' },
      { by: 'maker', text: 'Of course: I have a bag of them. Say so when you order.' },
      { by: 'shopper', text: 'Lovely, thank you.' },
    ],
  },
  {
    shopper: 'ottilie_brambling',
    maker: 'demo',
    listing: 'spinning-tops',
    days: 3,
    messages: [
      { by: 'shopper', text: 'My nephew has just turned three. Are the tops too small for him?' },
      {
        by: 'maker',
        text: 'The smallest is 5 cm wide, too large to swallow, but its tip is a little sharp. I would wait until he is four.',
      },
      {
        by: 'shopper',
        text: 'Then they wait in my cupboard for a year. Could you have two sets ready by Friday?',
      },
    ],
    unread: true,
  },
]

/** Orders beside those that made the listings' sales: the demo account's as a shopper, and as a maker. */
export const pastOrders: Past[] = [
  {
    shopper: 'demo',
    listing: 'walnut-bowl',
    quantity: 1,
    days: 214,
    fate: 'cancelled',
    messages: [
      { by: 'maker', text: 'I am sorry: a knot opened while it dried. I would rather not send it.' },
      { by: 'shopper', text: 'Thank you for telling me. I will wait for another one.' },
    ],
  },
  { shopper: 'demo', listing: 'tan-belt', quantity: 1, days: 131, fate: 'collected' },
  { shopper: 'demo', listing: 'stacking-rings', quantity: 2, days: 66, fate: 'received' },
  {
    shopper: 'demo',
    listing: 'serving-board',
    quantity: 1,
    answers: [
      { question: 'Words on the handle', answer: 'Soup & bread' },
      { question: 'Lettering', answer: 'Capitals' },
    ],
    days: 8,
    fate: 'sent',
  },
  {
    shopper: 'demo',
    listing: 'bead-necklace',
    quantity: 3,
    days: 6,
    fate: 'part-sent',
    messages: [
      { by: 'shopper', text: 'They are for three sisters. Could they come in one colour each?' },
      { by: 'maker', text: 'Gladly. The red one is on its way, the other two follow when the paint is dry.' },
    ],
    unread: true,
  },
  { shopper: 'demo', listing: 'half-moon-earrings', quantity: 1, days: 5, fate: 'ready' },
  { shopper: 'nell_larkspurrow', listing: 'maple-dish', quantity: 1, days: 97, fate: 'received' },
  {
    shopper: 'hattie_puddleby',
    listing: 'spinning-tops',
    quantity: 1,
    days: 11,
    fate: 'waiting',
    messages: [{ by: 'shopper', text: 'No hurry, only wondering: do they travel well by post?' }],
    unread: true,
  },
  { shopper: 'corin_mossgrove', listing: 'spinning-tops', quantity: 2, days: 7, fate: 'part-sent' },
  { shopper: 'barnaby_drizzle', listing: 'maple-dish', quantity: 1, days: 3, fate: 'ready' },
  { shopper: 'rufus_teacosy', listing: 'spinning-tops', quantity: 1, days: 1, fate: 'open' },
]
