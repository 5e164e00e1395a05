/** The ground of every page, light and dark, for what browsers draw around it: `--paper` of src/web/theme.css. */
export const paper = { light: '#faf6ef', dark: '#1d1a17' } as const

/** Who runs this shop: the one file to edit for a shop of your own. Read at build time by pages and feeds. */
export const brand = {
  name: 'Thrum',
  tagline: 'Where crafting skills are stronger than the Wi-Fi signal',
  description: 'A marketplace for handmade goods. No advertising, no tracking, no pressure.',
  /** Shown in the footer. The four of the default brand are invented. */
  team: [
    { name: 'Posy Wickersham', role: 'Keeps the kiln warm', profile: 'https://social.example/@posy' },
    { name: 'Otto Fernsby', role: 'Sands the rough edges', profile: 'https://social.example/@otto' },
    { name: 'Juniper Quill', role: 'Writes it all down', profile: 'https://social.example/@juniper' },
    { name: 'Barnaby Loom', role: 'Ties the loose ends', profile: 'https://social.example/@barnaby' },
  ],
} as const
