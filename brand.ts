/** What a shop is called and how it looks. */
export interface Brand {
  name: string
  /** Short name for phone headers and icons: at most 12 characters. */
  shortName: string
  tagline: string
  description: string
  /** The mark in the header, icons and share pictures: an SVG path on a grid of 24, with a stroke of 3. */
  mark: string
  /** A picture instead of the mark, with its size in pixels. */
  logo: { url: string; width: number; height: number } | null
  /** The picture of the front page, and where it leads; '': nowhere. null: photos of the newest pieces. */
  hero: { picture: Picture; caption: string; link: string } | null
  /** Version of the icons and of the stylesheet with its colours; null: those of the build. */
  version: string | null
  /** Shown in the footer. */
  team: readonly Member[]
  /** Of the light and the dark color scheme. The others are those of src/ui/theme.css. */
  colours: { light: Colours; dark: Colours }
}
/** A picture in several widths. */
interface Picture {
  url: string
  srcset: string
  width: number | null
  height: number | null
  colour: string | null
  alt: string
}
/** Somebody of the team. */
interface Member {
  name: string
  role: string
  /** Address of a page about them. */
  profile: string
}
/** Background of every page, and the colour of buttons and links: '#9a3f27'. */
export interface Colours {
  paper: string
  accent: string
}

/** What pages show of it in the browser. */
export type PageBrand = Omit<Brand, 'team' | 'colours' | 'version'>

/** Path of an icon: of the build, or drawn for this brand. @param file 'icon-192.png', 'icon-512.png' … */
export const iconPath = ({ version }: Pick<Brand, 'version'>, file: string): string =>
  version ? `/brand/${version}/${file}` : `/assets/${file}`

/** The brand of a new shop, until an operator changes it at /operate/brand. */
export const defaultBrand: Brand = {
  name: 'Thrum',
  shortName: 'Thrum',
  tagline: 'Where crafting skills are stronger than the Wi-Fi signal',
  description: 'A marketplace for handmade goods. No advertising, no tracking, no pressure.',
  // Thrums: the ends of the warp that stay on the loom when the cloth is cut off. After a change: `npm run icons`.
  mark: 'M4.5 4.5h15M6 4.5V13M12 4.5v11c0 2.5 1.3 4 3.8 4M18 4.5v10',
  logo: null,
  hero: null,
  version: null,
  // All four are invented.
  team: [
    { name: 'Posy Wickersham', role: 'Keeps the kiln warm', profile: 'https://social.example/@posy' },
    { name: 'Otto Fernsby', role: 'Sands the rough edges', profile: 'https://social.example/@otto' },
    { name: 'Juniper Quill', role: 'Writes it all down', profile: 'https://social.example/@juniper' },
    { name: 'Barnaby Loom', role: 'Ties the loose ends', profile: 'https://social.example/@barnaby' },
  ],
  // Those of src/ui/theme.css.
  colours: {
    light: { paper: '#faf6ef', accent: '#9a3f27' },
    dark: { paper: '#1d1a17', accent: '#f0a184' },
  },
}
