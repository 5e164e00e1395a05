import type { PageToAgree } from './contract.ts'

/** Pages in a sentence: 'the Terms and the Privacy notice', in parts. Every other part is the name of a page. */
export const partsOf = (pages: Pick<PageToAgree, 'name'>[]): string[] =>
  new Intl.ListFormat('en').formatToParts(pages.map(({ name }) => name)).map(({ value }) => value)

/** Message of a missing agreement. @param isLate whether other versions were agreed to */
export const agreedWords = (pages: Pick<PageToAgree, 'name'>[], isLate = false): string => {
  const names = partsOf(pages).join('')
  return isLate
    ? `There is a new version of ${names} since you opened this form. Please agree to it`
    : `Please agree to ${names}`
}
