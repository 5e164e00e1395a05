import { Link, type LinkProps, useSearchParams } from 'react-router'
import { withoutFlash } from '#ui/flash.ts'

interface ChoiceLinkProps extends Omit<LinkProps, 'to'> {
  /** Parameters to set; undefined removes one. */
  choose: Record<string, string | undefined>
}

/** Link to another choice of reviews, from the first page unless `choose` has a cursor. */
export function ChoiceLink({ choose, ...link }: ChoiceLinkProps) {
  const params = new URLSearchParams(withoutFlash(String(useSearchParams()[0])))
  for (const [name, value] of Object.entries({
    cursor: undefined,
    before: undefined,
    review: undefined,
    ...choose,
  })) {
    if (value === undefined) params.delete(name)
    else params.set(name, value)
  }
  return <Link to={`?${params}#reviews`} preventScrollReset {...link} />
}
