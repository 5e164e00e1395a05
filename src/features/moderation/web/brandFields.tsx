import type { EditedBrand } from '#site/brand-contract.ts'
import type { BrandTexts } from './brand.route.ts'

export const COLOURS = ['paper_light', 'accent_light', 'paper_dark', 'accent_dark'] as const

/** Labels of the single fields of the brand. */
export const LABELS: Record<Exclude<keyof BrandTexts, 'team'>, string> = {
  name: 'Name',
  short_name: 'Short name',
  tagline: 'Tagline',
  description: 'Description',
  hero_caption: 'Caption',
  hero_link: 'Link',
  paper_light: 'Background, light',
  accent_light: 'Buttons and links, light',
  paper_dark: 'Background, dark',
  accent_dark: 'Buttons and links, dark',
}

/** After a version conflict: the saved values that differ from the typed ones. */
export function Differences({ saved, typed }: { saved: EditedBrand; typed: BrandTexts }) {
  const teamOf = ({ team }: EditedBrand | BrandTexts) =>
    team.map(({ name, role, profile }) => [name, role, profile].filter(Boolean).join(', ')).join('; ')
  const rows = [
    ...(Object.keys(LABELS) as (keyof typeof LABELS)[])
      .filter(name => saved[name] !== typed[name].trim())
      .map(name => [LABELS[name], saved[name]] as const),
    ...(teamOf(saved) === teamOf(typed) ? [] : [['Team', teamOf(saved)] as const]),
  ]
  return (
    <ul>
      {rows.map(([label, value]) => (
        <li key={label} dir="auto">{`${label}, as it is saved: ${value || 'nothing'}`}</li>
      ))}
    </ul>
  )
}
