import { Link, type LinkProps, useSearchParams } from 'react-router'
import { withoutFlash } from '#ui/flash.ts'

interface ChoiceLinkProps extends Omit<LinkProps, 'to'> {
  /** Parameters to set; undefined takes one away. */
  choose: Record<string, string | undefined>
}

/** Leads to another choice among the reviews of this page, from their beginning unless it says where. */
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
