import type { ShouldRevalidateFunctionArgs } from 'react-router'

/** Of a page whose form was refused because the page is older than its data (409): it is loaded again. */
export const shouldRevalidate = ({
  actionStatus,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs): boolean => actionStatus === 409 || defaultShouldRevalidate
