/** Drafts of the demo account, as typed in the form of a listing. The first lacks only its photo. */
export const drafts: Record<string, string>[] = [
  {
    name: 'Cherry salt cellar',
    category: 'Home & Living',
    description: 'Turned from one piece of cherry, with a lid that swings aside. Oiled, not lacquered.',
    price: '28',
    stock: '3',
    story:
      'The tree stood behind the smithy until the storm. I have enough of it for three of these.\n\n' +
      '- the lid turns on a brass pin\n' +
      '- wipe it dry; it does not like the dishwasher',
    tags: 'salt, kitchen, cherry wood',
    materials: 'Cherry, Brass',
    length_cm: '9',
    width_cm: '9',
    height_cm: '6.5',
  },
  {
    name: 'Yo-yo, ash and walnut',
    description: 'Two woods, one string.',
    story: 'Still to write: why the axle is glued and not screwed.',
    price: '',
    tags: 'toy',
  },
]
