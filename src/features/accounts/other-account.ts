/** Message of a form that one account has opened, and another one sends. */
export const OTHER_ACCOUNT =
  'You are logged in with another account now, so nothing was saved. Log in with the first one, or open this page again'
