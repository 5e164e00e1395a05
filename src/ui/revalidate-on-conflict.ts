import type { ShouldRevalidateFunctionArgs } from 'react-router'

/** Loads a page again after a version conflict (409): its form was based on older data. */
export const shouldRevalidate = ({
  actionStatus,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs): boolean => actionStatus === 409 || defaultShouldRevalidate
