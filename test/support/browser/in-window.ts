import { eventually, type Visit } from './steps.ts'

/** Waits until the first element of a selector is in the window. */
export const isSeen = (there: Visit, selector: string): Promise<void> =>
  eventually(() =>
    there.page
      .locator(selector)
      .first()
      .evaluate(element => {
        const { top, bottom } = element.getBoundingClientRect()
        return top >= 0 && bottom <= innerHeight
      }),
  ).toBe(true)
