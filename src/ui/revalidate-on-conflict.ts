import type { ShouldRevalidateFunctionArgs } from 'react-router'

/** Loads a page again after a refusal because its form was based on older data: a version conflict (409), or a row that is gone (404). */
export const shouldRevalidate = ({
  actionStatus,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs): boolean =>
  actionStatus === 404 || actionStatus === 409 || defaultShouldRevalidate
