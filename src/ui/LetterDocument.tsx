import { renderToStaticMarkup } from 'react-dom/server'
import type { Brand } from '#brand'
import { greetingOf, type Letter, type LetterPart } from '#letter'
import { type Palette, paletteOf } from '#palette'

/**
 * Mail clients know neither custom properties nor light-dark(). Inline styles are for light paper; these win over
 * them in a client that shows dark paper.
 */
function darkStyles(brand: Brand): string {
  const { paper, surface, line, ink, inkSoft, accent, onAccent } = paletteOf('dark', brand.colours.dark)
  return `@media (prefers-color-scheme:dark){
.paper{background:${paper}!important}.surface{background:${surface}!important;border-color:${line}!important}
.ink{color:${ink}!important}.soft{color:${inkSoft}!important}.line{border-color:${line}!important}
.button{background:${accent}!important;color:${onAccent}!important}}`
}

const text = { margin: '0 0 16px', overflowWrap: 'anywhere' } as const

/** @param origin of all links, without a slash at the end */
function LetterPartView({ part, origin, light }: { part: LetterPart; origin: string; light: Palette }) {
  const cell = { padding: '6px 0', borderTop: `1px solid ${light.line}`, verticalAlign: 'top' } as const
  if ('text' in part)
    return (
      <p dir="auto" style={text}>
        {part.text}
      </p>
    )
  if ('quote' in part)
    return (
      <blockquote
        dir="auto"
        className="soft line"
        style={{
          ...text,
          padding: '0 0 0 12px',
          borderInlineStart: `3px solid ${light.line}`,
          color: light.inkSoft,
          whiteSpace: 'pre-wrap',
        }}
      >
        {part.quote}
      </blockquote>
    )
  if ('rows' in part)
    return (
      <table style={{ width: '100%', margin: '0 0 16px', borderCollapse: 'collapse' }}>
        <tbody>
          {part.rows.map(([label, value], n) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: drawn once
            <tr key={n}>
              <td dir="auto" className="line" style={{ ...cell, overflowWrap: 'anywhere' }}>
                {label}
              </td>
              <td
                dir="auto"
                className="line"
                style={{ ...cell, paddingLeft: 12, textAlign: 'right', overflowWrap: 'anywhere' }}
              >
                {value}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    )
  return (
    <p style={{ ...text, margin: '24px 0' }}>
      <a
        href={`${origin}${part.path}`}
        className="button"
        style={{
          background: light.accent,
          color: light.onAccent,
          display: 'inline-block',
          padding: '12px 20px',
          borderRadius: 8,
          fontWeight: 600,
          textDecoration: 'none',
        }}
      >
        {part.link}
      </a>
    </p>
  )
}

interface LetterProps {
  letter: Letter
  origin: string
  brand: Brand
}

function LetterDocument({ letter, origin, brand }: LetterProps) {
  const light = paletteOf('light', brand.colours.light)
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>{letter.subject}</title>
        <style>{darkStyles(brand)}</style>
      </head>
      <body
        className="paper ink"
        style={{
          margin: 0,
          padding: '24px 12px',
          background: light.paper,
          color: light.ink,
          font: '16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif',
        }}
      >
        <div style={{ maxWidth: 560, margin: '0 auto' }}>
          <p className="ink" style={{ ...text, fontWeight: 600 }}>
            {brand.name}
          </p>
          <div
            className="surface ink"
            style={{
              padding: '24px 20px 8px',
              border: `1px solid ${light.line}`,
              borderRadius: 14,
              background: light.surface,
            }}
          >
            <h1 dir="auto" style={{ ...text, fontSize: 22, lineHeight: 1.25 }}>
              {letter.subject}
            </h1>
            <p dir="auto" style={text}>
              {greetingOf(letter)}
            </p>
            {letter.parts.map((part, n) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: drawn once
              <LetterPartView key={n} part={part} origin={origin} light={light} />
            ))}
          </div>
          <p className="soft" style={{ margin: '16px 0', color: light.inkSoft, fontSize: 14 }}>
            You get this letter from {brand.name} because {letter.why}.
            {letter.stop && (
              <>
                <br />
                <a href={`${origin}${letter.stop.path}`} className="soft" style={{ color: light.inkSoft }}>
                  {letter.stop.link}
                </a>
              </>
            )}
          </p>
        </div>
      </body>
    </html>
  )
}

/** The HTML of a letter, as mail clients read it: inline styles, no scripts, no pictures. @param origin of all links */
export const renderLetter = (letter: Letter, origin: string, brand: Brand): string =>
  `<!doctype html>${renderToStaticMarkup(<LetterDocument letter={letter} origin={origin} brand={brand} />)}`
