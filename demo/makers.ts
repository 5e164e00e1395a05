// Profiles and replies of the sellers in the demo shop. Invented, like their places.

interface About {
  /** Username. */
  maker: string
  /** Of the shop, '' for none. */
  name: string
  /** Whether cards say first and last name. */
  shows_name: boolean
  words: string
  place: string
  /** Folder in `pictures`, whose centre is the seller's picture. */
  picture: string
}

interface Reply {
  /** Key of the listing. */
  listing: string
  /** Username of the reviewer. */
  author: string
  reply: string
}

export const abouts: About[] = [
  {
    maker: 'wren_thistledown',
    name: 'Thistledown Pots',
    shows_name: true,
    place: 'Bristol',
    picture: 'speckled-mug-2',
    words:
      'I throw mugs, jars and vases on a kick wheel in what used to be a bicycle shed. The clay is dug two ' +
      'valleys over and has more iron in it than is sensible, which is where the specks come from.\n\n' +
      'Kiln days are Thursdays. If something arrives with a crack, write to me: I would rather make it again ' +
      'than have you be polite about it.',
  },
  {
    maker: 'odo_birchwhistle',
    name: '',
    shows_name: true,
    place: 'Upper Sawmill',
    picture: 'serving-board-2',
    words:
      'Bowls, boards and games in walnut, from trees that came down by themselves. I turn them green, wait a ' +
      'year, and turn them again.\n\nEverything leaves here oiled. It likes being used more than being looked at.',
  },
  {
    maker: 'marla_loomsworth',
    name: 'Loomsworth & Daughters',
    shows_name: false,
    place: 'Teasel Hill',
    picture: 'rust-scarf-2',
    words:
      'I knit for people who wait at bus stops. Wool from three farms on this hill, dyed in small pots, so no ' +
      'two batches agree about what indigo is.\n\nTell me about your head, neck or feet and I will tell you ' +
      'what to order.',
  },
  {
    maker: 'pim_copperkettle',
    name: 'Copperkettle',
    shows_name: true,
    place: 'Tinkers’ Yard',
    picture: 'half-moon-earrings-2',
    words:
      'Silver, brass and stones with a bit of weather in them. I hammer on a stump that was here before the ' +
      'workshop, and you can see every blow.\n\nRings come in any size your fingers have.',
  },
  {
    maker: 'tilda_hobnail',
    name: 'Hobnail & Last',
    shows_name: false,
    place: 'Cobbler’s Steps',
    picture: 'felt-slippers',
    words:
      'Leather and felt, made to be worn out slowly. I stitch by hand because the machine is in the way of the ' +
      'window.\n\nSoles can be sent back for new ones, even years later.',
  },
  {
    maker: 'juniper_peggs',
    name: 'Signal Box Toys',
    shows_name: true,
    place: 'The Old Signal Box',
    picture: 'rainbow-stacker-2',
    words:
      'Toys without batteries or instructions. I cut, sand and paint them between two trains a day, and they ' +
      'are tested by four nieces who do not flatter.\n\nMilk paint and oil only; everything may be chewed.',
  },
  {
    maker: 'fenwick_inkpot',
    name: '',
    shows_name: true,
    place: 'Inkwell Row',
    picture: 'misty-hills-2',
    words:
      'I paint hills before breakfast, when nobody has told them yet what colour to be. One sheet a morning, ' +
      'and most of them go into the stove.\n\nThe frames are mine too.',
  },
  {
    maker: 'bea_honeycroft',
    name: 'Honeycroft',
    shows_name: false,
    place: 'Orchard End',
    picture: 'bead-necklace',
    words:
      'Eleven hives, one lathe and a great many beads. In winter I roll candles, in summer I turn wood and keep ' +
      'out of the bees’ way.\n\nIf your parcel smells of honey, that is me and not a mistake.',
  },
  {
    maker: 'ansel_weftley',
    name: '',
    shows_name: false,
    place: 'Loom Street',
    picture: 'wall-hanging-2',
    words:
      'I weave what is left over: thrums, ends and the wool that nobody ordered. Small houses happen when the ' +
      'loom is being repaired.\n\nSlow on purpose. Ask before a birthday, not after it.',
  },
  {
    maker: 'demo',
    name: 'The Shed at Garden End',
    shows_name: true,
    place: 'Garden End',
    picture: 'spinning-tops',
    words:
      'I turn wood at weekends: dishes, tops, things that balance. This is the demo shop’s own maker, so go ' +
      'ahead and change these words under Settings.',
  },
]

/** The wide photo above the page of a maker, and what else it says. */
interface ShopPage {
  /** Username. */
  maker: string
  /** Folder in `pictures`, of which a strip across the middle is the photo. */
  picture: string
  words: {
    banner_alt: string
    contact_email: string
    contact_phone: string
    returns: string
    custom_orders: string
    care: string
  }
}

export const shopPages: ShopPage[] = [
  {
    maker: 'wren_thistledown',
    picture: 'bud-vases',
    words: {
      banner_alt: '',
      contact_email: 'wren@thistledown.example',
      contact_phone: '',
      returns:
        'If it is not what you hoped for, send it back within 30 days, unused and wrapped as it came.\n\n' +
        'If it arrives broken, a photo is enough: keep the pieces for your flower pots.',
      custom_orders: 'Other sizes yes, other glazes sometimes, other people’s logos no. Write and ask.',
      care: 'The dishwasher is fine. Sudden cold is not.',
    },
  },
  {
    maker: 'demo',
    picture: 'maple-dish',
    words: {
      banner_alt: 'A wide dish of maple, seen from the side',
      contact_email: '',
      contact_phone: '',
      returns: 'Within 14 days, no questions asked.',
      custom_orders: '',
      care: 'Wipe with a damp cloth, and oil it when it looks thirsty.',
    },
  },
]

export const replies: Reply[] = [
  {
    listing: 'milk-jug',
    author: 'nell_larkspurrow',
    reply: 'I am sorry about the tablecloth, Nell. The new jug held water overnight before I packed it.',
  },
  {
    listing: 'indigo-mug',
    author: 'barnaby_drizzle',
    reply: 'Please tell her it suits her. The next batch has a wider handle, for the large fingers.',
  },
  {
    listing: 'indigo-scarf',
    author: 'rufus_teacosy',
    reply:
      'One more cold bath with a spoon of vinegar and the blue stays where it belongs. Sorry about the shirt!',
  },
  {
    listing: 'mustard-beanie',
    author: 'rufus_teacosy',
    reply:
      'Send it back whenever you like and I will knit you one with eight stitches more. The pompom may stay.',
  },
  {
    listing: 'solitaire-board',
    author: 'ottilie_brambling',
    reply: 'Thirty-two from now on: I count them twice, and the cat is no longer allowed near the bag.',
  },
  {
    listing: 'half-moon-earrings',
    author: 'hattie_puddleby',
    reply: 'They travel in a stiffer box now. Thank you for borrowing pliers instead of losing patience.',
  },
  {
    listing: 'wooden-van',
    author: 'hattie_puddleby',
    reply: 'A candle is exactly what I use. Happy deliveries!',
  },
  {
    listing: 'maple-dish',
    author: 'hattie_puddleby',
    reply: 'Oiling it on the first day was just right. Once a year is enough from here on.',
  },
]

/** Keys of the demo account's favourites, in order. */
export const demoFavourites = ['moon-jar', 'wall-hanging', 'walnut-bowl', 'felt-slippers', 'small-houses']
