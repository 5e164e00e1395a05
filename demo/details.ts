import type { Handling } from '#products/contract.ts'
import type { Details } from '#products/details-contract.ts'

// Sections of shops in the demo, and what their makers say of their pieces at length. Invented.

/** Sections of a shop in their order: name → keys of listings. By username of the maker. */
export const sections: Record<string, Record<string, string[]>> = {
  wren_thistledown: {
    'Mugs & jugs': ['speckled-mug', 'indigo-mug', 'milk-jug'],
    'Vases & jars': ['bud-vases', 'sage-vase', 'moon-jar'],
  },
  odo_birchwhistle: {
    'For the kitchen': ['walnut-bowl', 'serving-board'],
    Games: ['solitaire-board'],
  },
  marla_loomsworth: {
    'Scarves & cowls': ['indigo-scarf', 'rust-scarf', 'sage-cowl'],
    Hats: ['oat-beanie', 'mustard-beanie'],
  },
  juniper_peggs: {
    'First toys': ['stacking-rings', 'rainbow-stacker', 'wooden-van'],
    'To play together': ['skittles', 'forest-gnomes'],
  },
  demo: { Turned: ['maple-dish', 'pebble-totem', 'spinning-tops'] },
}

/** Pieces that are made when somebody orders them, by key of the listing. */
export const madeToOrder: Record<string, Handling> = {
  'tan-belt': { made_to_order: true, handling_days: 10 },
  'serving-board': { made_to_order: true, handling_days: 14 },
  'sage-cowl': { made_to_order: true, handling_days: 21 },
}

const across = (length_mm: number, width_mm: number | null, height_mm: number | null) => ({
  dimensions: { length_mm, width_mm, height_mm },
})

/** Details by key of the listing. */
export const details: Record<string, Omit<Details, 'section_id'>> = {
  'speckled-mug': {
    title: 'Speckled Cream Stoneware Mug, Thrown on a Kick Wheel from Iron-Rich Clay',
    story:
      'The clay for this mug comes from a bank above the ford, two valleys over. I dig it in autumn, let the frost ' +
      'break it up, and sieve out the roots and the occasional snail shell. What is left has so much iron in it that ' +
      'the specks come up through any glaze I put on top.\n\n' +
      'Each mug is thrown, left overnight under a cloth, trimmed, and given its handle the next morning:\n\n' +
      '- pulled from one strip of clay, not cast\n' +
      '- wide enough for three fingers\n' +
      '- joined low, so that a full mug does not tip your wrist\n\n' +
      'No two are quite alike. If you would like a pair that match more than most, write to me before Thursday, ' +
      'which is when I load the kiln.',
    tags: ['tea mug', 'coffee mug', 'speckled', 'kick wheel'],
    materials: ['Stoneware', 'Cream glaze'],
    weight_grams: 340,
    ...across(120, 85, 100),
  },
  'indigo-mug': {
    story:
      'Dipping sounds simple. You hold the mug by its foot, count to three, and lift. If you breathe in while you ' +
      'count, the line climbs on one side; if somebody knocks at the door, it climbs on both.\n\n' +
      'I have stopped trying to make it level. The wave where indigo meets cream is the only part of the mug that ' +
      'I do not decide.',
    tags: ['tall mug', 'indigo'],
    materials: ['Stoneware', 'Cream glaze', 'Indigo glaze'],
    weight_grams: 390,
    ...across(125, 85, 110),
  },
  'milk-jug': {
    tags: ['milk jug', 'terracotta'],
    materials: ['Stoneware', 'Terracotta slip'],
    weight_grams: 520,
    ...across(150, 105, 140),
  },
  'sage-vase': {
    materials: ['Stoneware', 'Matt sage glaze'],
    weight_grams: 900,
    ...across(140, 140, 240),
  },
  'walnut-bowl': {
    title: 'Walnut Salad Bowl, Turned Green from One Block and Turned Again After a Year',
    story:
      'This bowl was turned twice. The first time the wood was still wet: the shavings came off in ribbons and the ' +
      'bench was slippery for a week. Then the rough bowl sat on a shelf for a year, and went from round to something ' +
      'like an egg. The second turning made it round for good.\n\n' +
      'How to keep it:\n' +
      '- wash it by hand and dry it at once\n' +
      '- never soak it, and never the machine\n' +
      '- rub in a spoonful of oil when it looks thirsty\n\n' +
      'Walnut grows darker in its first year and then a little lighter again. Both are as they should be.',
    tags: ['salad bowl', 'turned wood'],
    materials: ['Walnut', 'Food-safe oil'],
    weight_grams: 780,
    ...across(220, 220, 80),
  },
  'serving-board': {
    story:
      'One plank, no glue. I choose the piece by its edge: there should be one place where your thumb wants to be, ' +
      'and that is where the handle goes.\n\nThe loop is leather from Tilda’s workshop next door, which she cuts ' +
      'from what is left of belts.',
    tags: ['cheese board', 'serving board'],
    materials: ['Walnut', 'Leather', 'Food-safe oil'],
    weight_grams: 610,
    ...across(280, 160, 18),
    questions: [
      { title: 'Words on the handle', instructions: 'Burnt in by hand', required: false, max_length: 20 },
      { title: 'Lettering', instructions: '', required: false, options: ['Capitals', 'Script'] },
    ],
  },
  'solitaire-board': {
    tags: ['board game', 'marbles'],
    materials: ['Walnut', 'Green stone'],
    weight_grams: 1_150,
    ...across(220, 220, 25),
  },
  'indigo-scarf': {
    story:
      'The indigo vat lives in the wash-house and has opinions about the weather. On warm days it gives a blue that ' +
      'is nearly black; in March it is more of a pond. Three skeins go into each scarf, and I dye them on three ' +
      'different days so that they drift into each other.\n\n' +
      'It will rub off a little on a white collar the first time you wear it. After one cool wash it has settled ' +
      'down.',
    tags: ['chunky knit', 'winter scarf'],
    materials: ['Wool', 'Natural indigo'],
    weight_grams: 420,
    ...across(1_700, 260, null),
  },
  'sage-cowl': { tags: ['cowl', 'chunky knit'], materials: ['Wool'], weight_grams: 180 },
  'oat-beanie': {
    story:
      'Undyed wool from a flock of eleven, all of whom have names. The colour is simply what they are.\n\n' +
      'You get:\n' +
      '* one hat, knitted in the round\n' +
      '* a yard of the same yarn, for mending',
    tags: ['winter hat', 'undyed'],
    materials: ['Undyed wool'],
    weight_grams: 95,
  },
  'rainbow-stacker': {
    title: 'Rainbow Stacker with Seven Arches, Sawn from One Slab of Lime Wood',
    story:
      'All seven arches are sawn from the same slab, one inside the other, so the gap between two of them is exactly ' +
      'one saw blade wide. If you lose the fourth, no other fourth will fit. I know; I have tried.\n\n' +
      'Children have told me that it is:\n' +
      '- a bridge, and a tunnel for the other direction\n' +
      '- a cradle for a very small bear\n' +
      '- seven fences, if you have enough sheep\n\n' +
      'The paint is milk, lime and pigment, and it is safe for those who taste things first.',
    tags: ['open-ended play', 'rainbow', 'milk paint'],
    materials: ['Lime wood', 'Milk paint'],
    weight_grams: 880,
    ...across(260, 65, 135),
  },
  'wooden-van': {
    tags: ['toy car', 'milk paint'],
    materials: ['Maple', 'Walnut', 'Beech', 'Milk paint'],
    weight_grams: 310,
    ...across(150, 70, 85),
  },
  skittles: {
    materials: ['Maple', 'Cherry', 'Walnut', 'Milk paint'],
    weight_grams: 1_300,
    variations: {
      variations: [
        { title: 'Wood of the pins', options: ['Maple', 'Cherry'] },
        { title: 'Bands', options: ['Six colours', 'Six blues'] },
      ],
      // Blue does not show on cherry.
      combinations: [
        { options: ['Maple', 'Six colours'], price: 48, stock: 2, sku: 'SK-M-6' },
        { options: ['Maple', 'Six blues'], price: 48, stock: 2, sku: 'SK-M-B' },
        { options: ['Cherry', 'Six colours'], price: 56, stock: 1, sku: 'SK-C-6' },
      ],
    },
  },
  'maple-dish': {
    story:
      'I bought this maple from a man who wanted to burn it. It had stood in a garden for eighty years, and one side ' +
      'had been leaning on a wall for most of them, which is why the grain runs so straight.\n\n' +
      'Good for bread, keys, apples and letters that can wait.',
    tags: ['fruit dish', 'turned wood'],
    materials: ['Maple', 'Food-safe oil'],
    weight_grams: 560,
    ...across(240, 240, 50),
  },
  'amber-ring': {
    tags: ['cocktail ring', 'stacking ring'],
    materials: ['Silver', 'Brass', 'Glass'],
    questions: [
      {
        title: 'Ring size',
        instructions: 'The inner circumference, mm',
        required: true,
        options: ['50', '52', '54', '56', '58'],
      },
    ],
  },
  'pebble-totem': {
    tags: ['shelf sculpture'],
    materials: ['Walnut', 'Maple', 'Cherry', 'Beech', 'Steel'],
    weight_grams: 470,
    ...across(90, 80, 190),
  },
}
