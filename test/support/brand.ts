/** Name and look of a shop. */
export const brandInput = {
  name: 'Harbour & Sons',
  short_name: 'Harbour',
  tagline: 'Made around one harbour',
  description: 'A co-operative of forty people.',
  team: [{ name: 'Olga Perlmutt', role: 'Looks after everything', profile: 'https://olga.example/' }],
  paper_light: '#eef4f7',
  accent_light: '#12587c',
  paper_dark: '#141a1e',
  accent_dark: '#9fd0ea',
  hero_caption: '',
  hero_link: '',
  reason: 'Setting up the shop',
}
