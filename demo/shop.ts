// The demo shop. Sellers, shoppers, listings and reviews are invented; example.com has no mailboxes. Listings are
// oldest first. The pictures are computer-made, see README.md.

import type { Answer } from '#products/questions-contract.ts'

export interface Maker {
  username: string
  first_name: string
  last_name: string
  email: string
}

export interface Listing {
  key: string
  /** Username of the seller. */
  seller: string
  name: string
  category:
    | 'Home & Living'
    | 'Clothing & Shoes'
    | 'Jewelry & Accessories'
    | 'Toys & Entertainment'
    | 'Art & Collectibles'
  description: string
  /** In dollars. */
  price: number
  stock: number
  /** Units sold at the start. */
  sold?: number
  /** Folder in `pictures`. */
  picture: string
  /** Further folders in `pictures`. */
  views?: string[]
}

export interface Review {
  /** Key of the listing. */
  listing: string
  /** Username of the shopper. */
  author: string
  stars: 1 | 2 | 3 | 4 | 5
  review: string
}

export const demo: Maker = {
  username: 'demo',
  first_name: 'Demi',
  last_name: 'Example',
  email: 'demo@example.com',
}

export const makers: Maker[] = [
  {
    username: 'wren_thistledown',
    first_name: 'Wren',
    last_name: 'Thistledown',
    email: 'wren.thistledown@example.com',
  },
  {
    username: 'odo_birchwhistle',
    first_name: 'Odo',
    last_name: 'Birchwhistle',
    email: 'odo.birchwhistle@example.com',
  },
  {
    username: 'marla_loomsworth',
    first_name: 'Marla',
    last_name: 'Loomsworth',
    email: 'marla.loomsworth@example.com',
  },
  {
    username: 'pim_copperkettle',
    first_name: 'Pim',
    last_name: 'Copperkettle',
    email: 'pim.copperkettle@example.com',
  },
  {
    username: 'tilda_hobnail',
    first_name: 'Tilda',
    last_name: 'Hobnail',
    email: 'tilda.hobnail@example.com',
  },
  {
    username: 'juniper_peggs',
    first_name: 'Juniper',
    last_name: 'Peggs',
    email: 'juniper.peggs@example.com',
  },
  {
    username: 'fenwick_inkpot',
    first_name: 'Fenwick',
    last_name: 'Inkpot',
    email: 'fenwick.inkpot@example.com',
  },
  {
    username: 'bea_honeycroft',
    first_name: 'Bea',
    last_name: 'Honeycroft',
    email: 'bea.honeycroft@example.com',
  },
  {
    username: 'ansel_weftley',
    first_name: 'Ansel',
    last_name: 'Weftley',
    email: 'ansel.weftley@example.com',
  },
]

export const shoppers: Maker[] = [
  {
    username: 'hattie_puddleby',
    first_name: 'Hattie',
    last_name: 'Puddleby',
    email: 'hattie.puddleby@example.com',
  },
  {
    username: 'corin_mossgrove',
    first_name: 'Corin',
    last_name: 'Mossgrove',
    email: 'corin.mossgrove@example.com',
  },
  {
    username: 'ottilie_brambling',
    first_name: 'Ottilie',
    last_name: 'Brambling',
    email: 'ottilie.brambling@example.com',
  },
  {
    username: 'rufus_teacosy',
    first_name: 'Rufus',
    last_name: 'Teacosy',
    email: 'rufus.teacosy@example.com',
  },
  {
    username: 'nell_larkspurrow',
    first_name: 'Nell',
    last_name: 'Larkspurrow',
    email: 'nell.larkspurrow@example.com',
  },
  {
    username: 'barnaby_drizzle',
    first_name: 'Barnaby',
    last_name: 'Drizzle',
    email: 'barnaby.drizzle@example.com',
  },
  {
    username: 'saffi_willowmere',
    first_name: 'Saffi',
    last_name: 'Willowmere',
    email: 'saffi.willowmere@example.com',
  },
]

export const listings: Listing[] = [
  {
    key: 'indigo-mug',
    seller: 'wren_thistledown',
    name: 'Tall Mug, Indigo over Cream',
    category: 'Home & Living',
    description:
      'A tall stoneware mug for the long kind of coffee. Cream glaze, then dipped in indigo from the ' +
      'rim down, so the line is never quite level. Bare clay foot. About 11 cm high, holds 350 ml. ' +
      'Dishwasher safe.',
    price: 29,
    stock: 10,
    sold: 3,
    picture: 'indigo-mug',
  },
  {
    key: 'indigo-scarf',
    seller: 'marla_loomsworth',
    name: 'Chunky Knit Scarf in Indigo',
    category: 'Clothing & Shoes',
    description:
      'Knitted on big needles from thick three-ply wool, dyed a soft indigo that varies a little from ' +
      'skein to skein. 170 cm long with a hand-knotted fringe. Wash cool in a basin and dry flat.',
    price: 74,
    stock: 5,
    sold: 2,
    picture: 'indigo-scarf',
  },
  {
    key: 'silver-earrings',
    seller: 'pim_copperkettle',
    name: 'Hammered Silver Half-Moon Earrings',
    category: 'Jewelry & Accessories',
    description:
      'Half-moons sawn from recycled silver sheet, hammered on a stump and hung under a rose-coloured ' +
      'stone bead. 5.5 cm drop with silver hooks. They dull slowly; a soft cloth brings the shine back.',
    price: 58,
    stock: 6,
    sold: 1,
    picture: 'silver-earrings',
  },
  {
    key: 'two-moons',
    seller: 'fenwick_inkpot',
    name: 'Two Moons, Framed Watercolour',
    category: 'Art & Collectibles',
    description:
      'An evening that could not decide. Watercolour on cotton paper, ochre and rose over a dark ridge, ' +
      'behind a bevel-cut mat in an oak-coloured frame. 17 × 21 cm outside, ready to lean or hang. One ' +
      'of a kind.',
    price: 120,
    stock: 1,
    picture: 'two-moons',
  },
  {
    key: 'maple-dish',
    seller: 'demo',
    name: 'Wide Maple Dish',
    category: 'Home & Living',
    description:
      'A shallow dish turned from a single piece of maple, 24 cm across and about 5 cm high. The grain ' +
      'runs straight through the wall. Finished with food-safe oil; wipe clean and oil it again once a ' +
      'year.',
    price: 46,
    stock: 4,
    sold: 1,
    picture: 'maple-dish',
  },
  {
    key: 'bead-necklace',
    seller: 'bea_honeycroft',
    name: 'Painted Wooden Bead Necklace',
    category: 'Jewelry & Accessories',
    description:
      'Forty round beads turned from maple and washed in milk paint, graded from small to large, on a ' +
      'waxed cotton cord. About 60 cm round, so it goes over the head without a clasp. Light to wear.',
    price: 38,
    stock: 8,
    sold: 2,
    picture: 'bead-necklace',
  },
  {
    key: 'stacking-rings',
    seller: 'juniper_peggs',
    name: 'Stacking Rings in Six Colours',
    category: 'Toys & Entertainment',
    description:
      'Six maple rings on a peg, five washed in milk paint thin enough to show the grain and one left ' +
      'plain. Edges rounded by hand. 15 cm high. Wipe with a damp cloth. From 18 months.',
    price: 34,
    stock: 12,
    sold: 4,
    picture: 'stacking-rings',
  },
  {
    key: 'speckled-mug',
    seller: 'wren_thistledown',
    name: 'Speckled Cream Stoneware Mug',
    category: 'Home & Living',
    description:
      'Thrown on a kick wheel from iron-rich clay, so brown specks come up through the cream glaze. The ' +
      'foot is left bare. About 10 cm high, holds 300 ml. Dishwasher safe, though it prefers a sponge.',
    price: 26,
    stock: 14,
    sold: 5,
    picture: 'speckled-mug',
    views: ['speckled-mug-2'],
  },
  {
    key: 'tan-belt',
    seller: 'tilda_hobnail',
    name: 'Tan Leather Belt, Brass Buckle',
    category: 'Clothing & Shoes',
    description:
      'Cut from one strip of vegetable-tanned leather, 3.5 cm wide, edges burnished with beeswax and ' +
      'saddle-stitched at the solid brass buckle. It starts out tan and darkens with the years. Send ' +
      'your waist size in cm.',
    price: 62,
    stock: 9,
    sold: 3,
    picture: 'tan-belt',
  },
  {
    key: 'misty-hills',
    seller: 'fenwick_inkpot',
    name: 'Misty Hills, Framed Watercolour',
    category: 'Art & Collectibles',
    description:
      'Four ranges of hills and one late sun, painted wet on cotton paper in a single morning. ' +
      'Bevel-cut mat, mitred oak-coloured frame, 17 × 21 cm outside. Keep it out of direct sunlight. ' +
      'One of a kind.',
    price: 135,
    stock: 1,
    sold: 1,
    picture: 'misty-hills',
    views: ['misty-hills-2'],
  },
  {
    key: 'amber-ring',
    seller: 'pim_copperkettle',
    name: 'Amber-Coloured Cabochon Ring',
    category: 'Jewelry & Accessories',
    description:
      'A honey-coloured oval stone in a bezel edged with thirty tiny silver grains, on a lightly ' +
      'hammered silver band. A plain brass ring to stack comes with it, the piece of walnut does not. ' +
      'Sizes 50 to 58; tell me yours.',
    price: 79,
    stock: 3,
    picture: 'amber-ring',
  },
  {
    key: 'solitaire-board',
    seller: 'odo_birchwhistle',
    name: 'Walnut Peg Solitaire with Stone Marbles',
    category: 'Toys & Entertainment',
    description:
      'A round walnut board with thirty-three turned hollows and thirty-two small marbles of green ' +
      'stone. 22 cm across, with a groove round the rim for the ones you have taken. Oiled. Rules on a ' +
      'card.',
    price: 52,
    stock: 4,
    sold: 1,
    picture: 'solitaire-board',
  },
  {
    key: 'sage-cowl',
    seller: 'marla_loomsworth',
    name: 'Sage Knitted Cowl',
    category: 'Clothing & Shoes',
    description:
      'A soft ring of stocking stitch in sage-green wool that goes over the head and stays where it is. ' +
      '75 cm round, 18 cm deep, with a rolled edge. No seam: knitted in the round. Wash cool, dry flat.',
    price: 56,
    stock: 6,
    sold: 2,
    picture: 'sage-cowl',
  },
  {
    key: 'bud-vases',
    seller: 'wren_thistledown',
    name: 'Pair of Bud Vases, Ochre and Cream',
    category: 'Home & Living',
    description:
      'Two small stoneware vases, one round in ochre and one slim in speckled cream, made for a single ' +
      'stem each. 11 and 16 cm high, watertight, with bare clay feet. Sold as a pair; they argue when ' +
      'parted.',
    price: 44,
    stock: 5,
    sold: 2,
    picture: 'bud-vases',
  },
  {
    key: 'skittles',
    seller: 'juniper_peggs',
    name: 'Six Table Skittles and a Ball',
    category: 'Toys & Entertainment',
    description:
      'Six pins of maple or cherry, 13 cm high, each with a different band of milk paint round its neck, and one ' +
      'walnut ball. Turned on a foot lathe, so no two waists match. For tables, corridors and patient ' +
      'neighbours.',
    price: 48,
    stock: 5,
    picture: 'skittles',
  },
  {
    key: 'brass-bangles',
    seller: 'pim_copperkettle',
    name: 'Three Hammered Brass Bangles',
    category: 'Jewelry & Accessories',
    description:
      'Three bangles bent from solid brass rod and hammered by hand, each in its own pattern. 6.5 cm ' +
      'inside, to be worn together or lent out one by one. Polish with lemon and a soft cloth. The ' +
      'maple block only holds one up for the picture.',
    price: 66,
    stock: 7,
    sold: 3,
    picture: 'brass-bangles',
  },
  {
    key: 'walnut-bowl',
    seller: 'odo_birchwhistle',
    name: 'Walnut Salad Bowl',
    category: 'Home & Living',
    description:
      'Turned from one block of walnut, 22 cm across and 8 cm high, with the growth rings running ' +
      'through it like a map. Finished with food-safe oil. Wash by hand, never in the machine, and oil ' +
      'it now and then.',
    price: 88,
    stock: 3,
    sold: 2,
    picture: 'walnut-bowl',
    views: ['walnut-bowl-2'],
  },
  {
    key: 'oat-beanie',
    seller: 'marla_loomsworth',
    name: 'Oat Wool Beanie with Folded Cuff',
    category: 'Clothing & Shoes',
    description:
      'A plain, warm hat in undyed oat-coloured wool, with a ribbed cuff folded up once. Knitted in the ' +
      'round, so there is no seam to itch. Fits heads of 54 to 60 cm. Wash cool and dry flat.',
    price: 42,
    stock: 6,
    sold: 6,
    picture: 'oat-beanie',
  },
  {
    key: 'pebble-totem',
    seller: 'demo',
    name: 'Pebble Totem in Four Woods',
    category: 'Art & Collectibles',
    description:
      'Four pebbles turned and sanded from walnut, maple, cherry and painted beech, stacked on a hidden ' +
      'steel pin so the balance only looks risky. 19 cm high. For a shelf or a desk; dust with a dry ' +
      'cloth.',
    price: 64,
    stock: 2,
    sold: 1,
    picture: 'pebble-totem',
  },
  {
    key: 'serving-board',
    seller: 'odo_birchwhistle',
    name: 'Walnut Serving Board',
    category: 'Home & Living',
    description:
      'A round-cornered board in one piece of walnut, 28 × 16 cm, with a handle, a hole and a leather ' +
      'loop to hang it by. Sanded until it feels like a river stone. Oil twice a year; not for the ' +
      'dishwasher.',
    price: 54,
    stock: 8,
    sold: 3,
    picture: 'serving-board',
    views: ['serving-board-2'],
  },
  {
    key: 'wooden-van',
    seller: 'juniper_peggs',
    name: 'Little Wooden Van',
    category: 'Toys & Entertainment',
    description:
      'A van for very small deliveries: maple body under a wash of terracotta milk paint, walnut wheels ' +
      'on beech axles, no glue where a nose might go. 15 cm long and rolls straight. From 18 months.',
    price: 39,
    stock: 9,
    sold: 2,
    picture: 'wooden-van',
    views: ['wooden-van-2'],
  },
  {
    key: 'beeswax-candles',
    seller: 'bea_honeycroft',
    name: 'Pair of Rolled Beeswax Candles',
    category: 'Home & Living',
    description:
      'Two candles rolled by hand from honeycomb-pressed beeswax with a cotton wick, tied with linen ' +
      'string. 20 cm long, about four hours each, and they smell of honey before you light them. The ' +
      'board is not included.',
    price: 18.5,
    stock: 20,
    sold: 20,
    picture: 'beeswax-candles',
  },
  {
    key: 'cabochon-ring',
    seller: 'pim_copperkettle',
    name: 'Silver Ring with a Blue-Green Stone',
    category: 'Jewelry & Accessories',
    description:
      'An oval stone the colour of a pond in April, set in a beaded bezel on a hammered silver band, ' +
      'with a slim brass ring to stack beside it. Sizes 50 to 58. Take it off for washing-up. The dish ' +
      'is one of Wren’s and stays with me.',
    price: 84,
    stock: 4,
    sold: 3,
    picture: 'cabochon-ring',
  },
  {
    key: 'felt-slippers',
    seller: 'tilda_hobnail',
    name: 'Felted Wool Slippers, Indigo and Ochre',
    category: 'Clothing & Shoes',
    description:
      'Wet-felted in one piece over a wooden last, so there is no seam to rub, then bound in ochre with ' +
      'blanket stitch and set on a leather sole. They stretch a little and learn your feet. Sizes 36 to ' +
      '45; spot clean.',
    price: 68,
    stock: 6,
    sold: 1,
    picture: 'felt-slippers',
  },
  {
    key: 'moon-jar',
    seller: 'wren_thistledown',
    name: 'Moon Jar in Speckled White',
    category: 'Art & Collectibles',
    description:
      'A round jar thrown as two bowls and joined at the middle; if you look along the belly you can ' +
      'find the seam. Speckled white glaze over iron clay. 21 cm high, one of a kind, meant to be ' +
      'looked at from all sides.',
    price: 145,
    stock: 1,
    picture: 'moon-jar',
    views: ['moon-jar-2'],
  },
  {
    key: 'mustard-beanie',
    seller: 'marla_loomsworth',
    name: 'Mustard Beanie with Pompom',
    category: 'Clothing & Shoes',
    description:
      'A chunky hat in mustard wool with a deep ribbed brim and a pompom that took forty minutes and ' +
      'most of a ball. It unbuttons for washing. Fits heads of 54 to 60 cm. Cool wash, dry flat.',
    price: 45,
    stock: 8,
    sold: 3,
    picture: 'mustard-beanie',
  },
  {
    key: 'spinning-tops',
    seller: 'demo',
    name: 'Three Spinning Tops',
    category: 'Toys & Entertainment',
    description:
      'Three tops in three shapes, turned from maple and striped with milk paint while still on the ' +
      'lathe. 5 to 7 cm across. The low wide one goes longest: my record is two minutes and ten ' +
      'seconds. From 4 years.',
    price: 22,
    stock: 10,
    sold: 4,
    picture: 'spinning-tops',
  },
  {
    key: 'small-houses',
    seller: 'ansel_weftley',
    name: 'Row of Five Small Houses',
    category: 'Art & Collectibles',
    description:
      'Five little houses cut from maple offcuts, walls left plain or painted, roofs in walnut, indigo ' +
      'and terracotta. The tallest is 14 cm. They stand on a shelf in any order and never complain ' +
      'about the neighbours.',
    price: 58,
    stock: 3,
    sold: 1,
    picture: 'small-houses',
    views: ['small-houses-2'],
  },
  {
    key: 'half-moon-earrings',
    seller: 'pim_copperkettle',
    name: 'Hammered Brass Half-Moon Earrings',
    category: 'Jewelry & Accessories',
    description:
      'Half-moons cut from brass sheet, hammered until they catch the light, under a grey-blue stone ' +
      'bead. 5.5 cm drop, brass hooks. The walnut stand in the picture is not included, but I am ' +
      'thinking about it.',
    price: 49,
    stock: 6,
    sold: 2,
    picture: 'half-moon-earrings',
    views: ['half-moon-earrings-2'],
  },
  {
    key: 'rainbow-stacker',
    seller: 'juniper_peggs',
    name: 'Rainbow Stacker, Seven Arches',
    category: 'Toys & Entertainment',
    description:
      'Seven nested arches cut from one slab of lime wood, so each fits only its neighbours, then ' +
      'washed in milk paint. 26 cm wide. A bridge, a tunnel, a cradle, a fence for sheep. From 12 ' +
      'months.',
    price: 46,
    stock: 7,
    sold: 2,
    picture: 'rainbow-stacker',
    views: ['rainbow-stacker-2'],
  },
  {
    key: 'wall-hanging',
    seller: 'ansel_weftley',
    name: 'Woven Wall Hanging, Clay and Ochre',
    category: 'Art & Collectibles',
    description:
      'Thick wool in bands of cream, ochre, terracotta and indigo, woven on a frame loom and left long ' +
      'at the bottom. 42 cm wide, about 50 cm with the fringe, on a turned walnut rod with a cotton ' +
      'cord. Ready to hang.',
    price: 110,
    stock: 2,
    sold: 1,
    picture: 'wall-hanging',
    views: ['wall-hanging-2'],
  },
  {
    key: 'sage-vase',
    seller: 'wren_thistledown',
    name: 'Sage Bottle Vase',
    category: 'Home & Living',
    description:
      'A round-shouldered bottle with a narrow neck, thrown in one piece and glazed in matt sage that ' +
      'breaks brown at the rim. 24 cm high, watertight. Handsome empty; one branch is plenty.',
    price: 68,
    stock: 3,
    sold: 1,
    picture: 'sage-vase',
    views: ['sage-vase-2'],
  },
  {
    key: 'rust-scarf',
    seller: 'marla_loomsworth',
    name: 'Chunky Knit Scarf in Rust',
    category: 'Clothing & Shoes',
    description:
      'Thick three-ply wool the colour of a garden gate, knitted on big needles with every stitch to be ' +
      'seen. 170 cm long with a hand-knotted fringe at both ends. Wash cool in a basin and dry flat.',
    price: 74,
    stock: 6,
    sold: 2,
    picture: 'rust-scarf',
    views: ['rust-scarf-2'],
  },
  {
    key: 'clay-necklace',
    seller: 'bea_honeycroft',
    name: 'Speckled Clay Bead Necklace',
    category: 'Jewelry & Accessories',
    description:
      'Round stoneware beads in cream, sage and indigo, rolled by hand and glazed one by one on a bed ' +
      'of pins, with small brass beads between. Waxed cotton cord, about 60 cm round. It clicks softly ' +
      'when you walk.',
    price: 42,
    stock: 5,
    sold: 1,
    picture: 'clay-necklace',
    views: ['clay-necklace-2'],
  },
  {
    key: 'milk-jug',
    seller: 'wren_thistledown',
    name: 'Terracotta-Dipped Milk Jug',
    category: 'Home & Living',
    description:
      'A fat little jug with a pulled handle and a spout that pours without dripping; I threw eleven to ' +
      'get there. Cream glaze above, terracotta below. 14 cm high, holds 600 ml. Dishwasher safe.',
    price: 48,
    stock: 4,
    sold: 3,
    picture: 'milk-jug',
    views: ['milk-jug-2'],
  },
  {
    key: 'forest-gnomes',
    seller: 'juniper_peggs',
    name: 'Family of Four Forest Gnomes',
    category: 'Toys & Entertainment',
    description:
      'Four gnomes turned from maple, with painted coats, pointed hats and no faces, so they can be in ' +
      'any mood. 7 to 13 cm high. Milk paint and beeswax, safe to chew. From 18 months.',
    price: 32,
    stock: 6,
    sold: 1,
    picture: 'forest-gnomes',
    views: ['forest-gnomes-2', 'forest-gnomes-3'],
  },
]

export const reviews: Review[] = [
  {
    listing: 'indigo-mug',
    author: 'hattie_puddleby',
    stars: 5,
    review:
      'Holds a whole pot’s worth and the dip line sits at a different height on each side. I turn it ' +
      'round depending on my mood.',
  },
  {
    listing: 'indigo-mug',
    author: 'barnaby_drizzle',
    stars: 3,
    review:
      'Lovely colour, but it is heavier than I expected and the handle is snug for two large fingers. ' +
      'It has become my wife’s mug, which she says was always the plan.',
  },
  {
    listing: 'indigo-mug',
    author: 'demo',
    stars: 4,
    review:
      'Bought after seeing it at a market stall table. The glaze is deeper than in the picture. One ' +
      'star off because it is a touch too tall for my coffee machine.',
  },
  {
    listing: 'indigo-scarf',
    author: 'nell_larkspurrow',
    stars: 5,
    review:
      'Warm enough for the bus stop on the hill, and that is the coldest bus stop there is. The fringe ' +
      'has survived a dog.',
  },
  {
    listing: 'indigo-scarf',
    author: 'rufus_teacosy',
    stars: 2,
    review:
      'A fine scarf, but a little blue came off on my white shirt the first time I wore it in the rain. ' +
      'Marla sent washing advice at once and it is better now.',
  },
  {
    listing: 'silver-earrings',
    author: 'ottilie_brambling',
    stars: 5,
    review:
      'Light, and they move nicely. The hammer marks on the left and the right are not the same and ' +
      'that is why I like them.',
  },
  {
    listing: 'silver-earrings',
    author: 'saffi_willowmere',
    stars: 4,
    review: 'Beautiful. I would have liked slightly longer hooks, mine slip out when I take off a jumper.',
  },
  {
    listing: 'maple-dish',
    author: 'corin_mossgrove',
    stars: 5,
    review:
      'Holds exactly seven oranges. The bottom is finished as carefully as the inside, which nobody ' +
      'will see except me.',
  },
  {
    listing: 'maple-dish',
    author: 'hattie_puddleby',
    stars: 4,
    review:
      'Very nice grain and well packed. It arrived a little dry, so I oiled it on the first day and now ' +
      'it glows.',
  },
  {
    listing: 'bead-necklace',
    author: 'nell_larkspurrow',
    stars: 4,
    review: 'Cheerful and so light that I forget it is there. The cord was a bit stiff in the first week.',
  },
  {
    listing: 'bead-necklace',
    author: 'ottilie_brambling',
    stars: 5,
    review: 'My grandmother had one like this. Now I do too.',
  },
  {
    listing: 'stacking-rings',
    author: 'saffi_willowmere',
    stars: 5,
    review: 'In daily use for five months by a person with eight teeth. Not a chip in the paint.',
  },
  {
    listing: 'stacking-rings',
    author: 'rufus_teacosy',
    stars: 4,
    review:
      'Well made. The rings are all loose enough that the order does not matter, which our daughter ' +
      'enjoys and I, a tidy man, do not.',
  },
  {
    listing: 'stacking-rings',
    author: 'wren_thistledown',
    stars: 5,
    review: 'A present for my nephew. He stacks them, I look at the edges: every one is rounded properly.',
  },
  {
    listing: 'speckled-mug',
    author: 'corin_mossgrove',
    stars: 5,
    review:
      'The one everybody reaches for first. The bare clay at the bottom is pleasantly rough on the ' +
      'fingertips.',
  },
  {
    listing: 'speckled-mug',
    author: 'saffi_willowmere',
    stars: 5,
    review: 'I ordered one, then a second because of arguments.',
  },
  {
    listing: 'speckled-mug',
    author: 'barnaby_drizzle',
    stars: 4,
    review:
      'Good mug, honest weight. The foot scratched our varnished table a little before I put a felt pad ' +
      'under it.',
  },
  {
    listing: 'speckled-mug',
    author: 'demo',
    stars: 5,
    review: 'No two have the same specks, so in our office nobody mixes them up any more.',
  },
  {
    listing: 'tan-belt',
    author: 'rufus_teacosy',
    stars: 5,
    review:
      'The first belt I own that does not squeak. After three months the holes I use have gone dark and ' +
      'shiny.',
  },
  {
    listing: 'tan-belt',
    author: 'corin_mossgrove',
    stars: 3,
    review:
      'Good leather and stitching, but I measured badly and it is on the last hole. Measure your old ' +
      'belt, not yourself.',
  },
  {
    listing: 'misty-hills',
    author: 'hattie_puddleby',
    stars: 5,
    review:
      'It hangs opposite the kitchen window and looks different every morning. The frame is very neatly ' +
      'mitred.',
  },
  {
    listing: 'misty-hills',
    author: 'ottilie_brambling',
    stars: 4,
    review: 'A calm picture. The paper has a slight wave at the top edge that you see only from the side.',
  },
  {
    listing: 'amber-ring',
    author: 'nell_larkspurrow',
    stars: 4,
    review:
      'The stone looks lit from inside. I ordered 54 and it fits like a 55, so it has moved one finger ' +
      'over.',
  },
  {
    listing: 'solitaire-board',
    author: 'barnaby_drizzle',
    stars: 5,
    review:
      'Best score so far: two marbles left. The hollows are cut so cleanly that the marbles sit down ' +
      'with a tiny click.',
  },
  {
    listing: 'solitaire-board',
    author: 'ottilie_brambling',
    stars: 2,
    review:
      'The board is lovely, but mine came with thirty-one marbles. The missing one was sent quickly; ' +
      'still, I had counted on playing that weekend.',
  },
  {
    listing: 'sage-cowl',
    author: 'saffi_willowmere',
    stars: 5,
    review: 'Soft, no seam, no itching. I wore it the whole way through a very long outdoor concert.',
  },
  {
    listing: 'sage-cowl',
    author: 'hattie_puddleby',
    stars: 3,
    review:
      'Nice wool and a lovely green. It grew after the first wash although I dried it flat, so it sits ' +
      'lower than in the picture.',
  },
  {
    listing: 'bud-vases',
    author: 'rufus_teacosy',
    stars: 4,
    review: 'They do argue when parted. I tried. The round one wobbles slightly on my glass shelf.',
  },
  {
    listing: 'bud-vases',
    author: 'nell_larkspurrow',
    stars: 5,
    review: 'One tulip in each and the windowsill is done.',
  },
  {
    listing: 'brass-bangles',
    author: 'ottilie_brambling',
    stars: 5,
    review: 'They ring like little bells when I type, and my colleagues have been patient.',
  },
  {
    listing: 'brass-bangles',
    author: 'saffi_willowmere',
    stars: 1,
    review:
      'Too small for my hand, and they left a green mark in hot weather. Pim took them back without ' +
      'fuss, but I was disappointed.',
  },
  {
    listing: 'brass-bangles',
    author: 'tilda_hobnail',
    stars: 4,
    review:
      'Clean work, no sharp ends. They tarnish faster than I would like in my workshop, but lemon ' +
      'really does help.',
  },
  {
    listing: 'walnut-bowl',
    author: 'hattie_puddleby',
    stars: 5,
    review: 'The salad is the same as before. The evenings are better.',
  },
  {
    listing: 'walnut-bowl',
    author: 'demo',
    stars: 5,
    review:
      'You can follow one growth ring all the way round. I use it for keys because I am afraid of ' +
      'vinaigrette.',
  },
  {
    listing: 'oat-beanie',
    author: 'barnaby_drizzle',
    stars: 5,
    review: 'Warm and plain. My ears have sent their thanks.',
  },
  {
    listing: 'oat-beanie',
    author: 'corin_mossgrove',
    stars: 4,
    review: 'A good hat. Undyed wool smells of sheep when it rains, which I happen to like.',
  },
  {
    listing: 'oat-beanie',
    author: 'ottilie_brambling',
    stars: 5,
    review: 'I hope there will be more soon, because my sister has already borrowed mine for good.',
  },
  {
    listing: 'pebble-totem',
    author: 'nell_larkspurrow',
    stars: 5,
    review: 'Visitors always put a finger out to stop it falling. It has never even leaned.',
  },
  {
    listing: 'pebble-totem',
    author: 'barnaby_drizzle',
    stars: 3,
    review:
      'Smaller on the shelf than it was in my head. The cherry pebble is wonderful, the painted one is ' +
      'a bit flat next to it.',
  },
  {
    listing: 'serving-board',
    author: 'saffi_willowmere',
    stars: 5,
    review: 'Bread, cheese, wall. It does all three jobs.',
  },
  {
    listing: 'serving-board',
    author: 'rufus_teacosy',
    stars: 4,
    review:
      'Very smooth and a good weight. The leather loop is thin; I replaced it with a longer one to fit ' +
      'my hook.',
  },
  {
    listing: 'wooden-van',
    author: 'corin_mossgrove',
    stars: 5,
    review: 'It really rolls straight: it went from one end of our hall to the other and under the cupboard.',
  },
  {
    listing: 'wooden-van',
    author: 'hattie_puddleby',
    stars: 4,
    review: 'Sturdy and pretty. One axle squeaked until we rubbed it with a candle.',
  },
  {
    listing: 'beeswax-candles',
    author: 'ottilie_brambling',
    stars: 5,
    review: 'The whole drawer smells of honey now. They burned evenly and hardly dripped.',
  },
  {
    listing: 'beeswax-candles',
    author: 'barnaby_drizzle',
    stars: 4,
    review: 'Nearer three and a half hours than four in our draughty house, but what a light.',
  },
  {
    listing: 'beeswax-candles',
    author: 'demo',
    stars: 5,
    review: 'I light one when the power is out and sometimes when it is not.',
  },
  {
    listing: 'felt-slippers',
    author: 'corin_mossgrove',
    stars: 5,
    review: 'Warm, quiet and not too warm. The cat has tried to move in twice.',
  },
  {
    listing: 'felt-slippers',
    author: 'nell_larkspurrow',
    stars: 4,
    review:
      'Very comfortable. Order half a size down: they gave way more in the first month than I expected.',
  },
  {
    listing: 'cabochon-ring',
    author: 'saffi_willowmere',
    stars: 5,
    review:
      'The little grains round the stone are all there under a magnifying glass. I checked, I am like ' +
      'that.',
  },
  {
    listing: 'cabochon-ring',
    author: 'hattie_puddleby',
    stars: 4,
    review: 'A quiet, lovely ring. The brass one that comes with it is a little larger than the silver one.',
  },
  {
    listing: 'mustard-beanie',
    author: 'nell_larkspurrow',
    stars: 5,
    review: 'The pompom is as big as promised and people in the street smile at it. At me too, perhaps.',
  },
  {
    listing: 'mustard-beanie',
    author: 'rufus_teacosy',
    stars: 2,
    review:
      'Very warm, but too tight for my large head and the brim left a pattern on my forehead. The ' +
      'pompom is excellent.',
  },
  {
    listing: 'spinning-tops',
    author: 'corin_mossgrove',
    stars: 5,
    review: 'One minute and forty seconds so far. We have a chart on the fridge.',
  },
  {
    listing: 'spinning-tops',
    author: 'saffi_willowmere',
    stars: 4,
    review: 'Lovely stripes. The pointed one needs a practised hand, the wide one forgives everything.',
  },
  {
    listing: 'spinning-tops',
    author: 'juniper_peggs',
    stars: 5,
    review:
      'As somebody who turns wood for a living: the points are perfectly centred. I am slightly ' +
      'jealous.',
  },
  {
    listing: 'small-houses',
    author: 'ottilie_brambling',
    stars: 5,
    review:
      'I have moved them round every week since they came. The one with the red roof lives alone this ' +
      'month.',
  },
  {
    listing: 'half-moon-earrings',
    author: 'nell_larkspurrow',
    stars: 5,
    review: 'They catch the light even on a grey day and weigh almost nothing.',
  },
  {
    listing: 'half-moon-earrings',
    author: 'hattie_puddleby',
    stars: 3,
    review:
      'Pretty, but one hook was bent when they arrived. Easy to fix with pliers if you own any, and I ' +
      'had to borrow some.',
  },
  {
    listing: 'rainbow-stacker',
    author: 'saffi_willowmere',
    stars: 5,
    review: 'Mostly a tunnel, sometimes a cradle for a small bear. Worth every evening it has filled.',
  },
  {
    listing: 'rainbow-stacker',
    author: 'barnaby_drizzle',
    stars: 4,
    review:
      'Nice even paint and you can still see the wood. The smallest arch goes missing a lot, through no ' +
      'fault of the maker.',
  },
  {
    listing: 'wall-hanging',
    author: 'corin_mossgrove',
    stars: 5,
    review:
      'It made the room quieter. The colours are earthy, and the indigo band is darker than it looks ' +
      'here.',
  },
  {
    listing: 'sage-vase',
    author: 'rufus_teacosy',
    stars: 5,
    review: 'One branch from the hedge and it looks as if I had planned the whole room.',
  },
  {
    listing: 'rust-scarf',
    author: 'ottilie_brambling',
    stars: 5,
    review: 'You can count the stitches from across the street. It is heavy in the best way.',
  },
  {
    listing: 'rust-scarf',
    author: 'barnaby_drizzle',
    stars: 4,
    review: 'Warm and well made. It sheds a bit on dark coats in the first weeks.',
  },
  {
    listing: 'rust-scarf',
    author: 'demo',
    stars: 5,
    review: 'Wore it on the ferry in March and did not once think about the wind.',
  },
  {
    listing: 'milk-jug',
    author: 'corin_mossgrove',
    stars: 5,
    review: 'It is true: it does not drip. I have tested it with milk, cream and, once, gravy.',
  },
  {
    listing: 'milk-jug',
    author: 'nell_larkspurrow',
    stars: 1,
    review:
      'Mine had a hairline crack at the handle and leaked on the tablecloth. A new one is on its way, ' +
      'so this is about the first one only.',
  },
  {
    listing: 'forest-gnomes',
    author: 'hattie_puddleby',
    stars: 5,
    review: 'They have names, jobs and a feud. The smallest one runs the household.',
  },
]

export const demoCart: { listing: string; quantity: number; answers?: Answer[] }[] = [
  { listing: 'rainbow-stacker', quantity: 1 },
  { listing: 'sage-vase', quantity: 1 },
  { listing: 'amber-ring', quantity: 1, answers: [{ question: 'Ring size', answer: '54' }] },
]

export const demoOrder: { listing: string; quantity: number }[] = [
  { listing: 'speckled-mug', quantity: 2 },
  { listing: 'rust-scarf', quantity: 1 },
]
