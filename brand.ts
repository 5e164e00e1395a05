/** Background of every page, light and dark, for browser chrome: `--paper` of src/ui/theme.css. */
export const paper = { light: '#faf6ef', dark: '#1d1a17' } as const

/** Name and people of the shop: the one file to edit for a shop of your own. Read at build time by pages and feeds. */
export const brand = {
  name: 'Thrum',
  /** Short name for phone headers and icons: at most 12 characters. */
  shortName: 'Thrum',
  tagline: 'Where crafting skills are stronger than the Wi-Fi signal',
  description: 'A marketplace for handmade goods. No advertising, no tracking, no pressure.',
  /**
   * The mark in the header, icons and share pictures: an SVG path on a grid of 24, with a stroke of 3. It shows
   * thrums, the ends of the warp that stay on the loom when the cloth is cut off. After a change: `npm run icons`.
   */
  mark: 'M4.5 4.5h15M6 4.5V13M12 4.5v11c0 2.5 1.3 4 3.8 4M18 4.5v10',
  /** Shown in the footer. The four of the default brand are invented. */
  team: [
    { name: 'Posy Wickersham', role: 'Keeps the kiln warm', profile: 'https://social.example/@posy' },
    { name: 'Otto Fernsby', role: 'Sands the rough edges', profile: 'https://social.example/@otto' },
    { name: 'Juniper Quill', role: 'Writes it all down', profile: 'https://social.example/@juniper' },
    { name: 'Barnaby Loom', role: 'Ties the loose ends', profile: 'https://social.example/@barnaby' },
  ],
} as const
