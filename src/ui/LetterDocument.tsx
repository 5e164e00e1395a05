import { renderToStaticMarkup } from 'react-dom/server'
import { brand } from '#brand'
import { greetingOf, type Letter, type Part } from '#letter'

/** Colours of theme.css. Mail clients know neither custom properties nor light-dark(). */
const light = { paper: '#faf6ef', surface: '#fffdf9', ink: '#2c2621', soft: '#655b51', line: '#e2d8ca' }
const button = { background: '#9a3f27', color: '#fffaf4' }
/** Inline styles are for light paper; these win over them in a client that shows dark paper. */
const DARK = `@media (prefers-color-scheme:dark){
.paper{background:#1d1a17!important}.surface{background:#282420!important;border-color:#443c35!important}
.ink{color:#f2ebe1!important}.soft{color:#b9aea1!important}.line{border-color:#443c35!important}
.button{background:#f0a184!important;color:#2a1710!important}}`

const text = { margin: '0 0 16px', overflowWrap: 'anywhere' } as const
const cell = { padding: '6px 0', borderTop: `1px solid ${light.line}`, verticalAlign: 'top' } as const

/** @param base origin of all links, without a slash at the end */
function Piece({ part, base }: { part: Part; base: string }) {
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
          color: light.soft,
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
              <td className="line" style={{ ...cell, paddingInlineStart: 12, textAlign: 'end' }}>
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
        href={`${base}${part.path}`}
        className="button"
        style={{
          ...button,
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

function LetterDocument({ letter, base }: { letter: Letter; base: string }) {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>{letter.subject}</title>
        <style>{DARK}</style>
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
              <Piece key={n} part={part} base={base} />
            ))}
          </div>
          <p className="soft" style={{ margin: '16px 0', color: light.soft, fontSize: 14 }}>
            You get this letter from {brand.name} because {letter.why}.
            {letter.stop && (
              <>
                <br />
                <a href={`${base}${letter.stop.path}`} className="soft" style={{ color: light.soft }}>
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

/** The HTML of a letter, as mail clients read it: inline styles, no scripts, no pictures. @param base origin of all links */
export const drawLetter = (letter: Letter, base: string): string =>
  `<!doctype html>${renderToStaticMarkup(<LetterDocument letter={letter} base={base} />)}`
