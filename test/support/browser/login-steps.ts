import type { Visit } from './steps.ts'

/** Fills in fields by their labels. */
export async function fillIn(there: Visit, values: Record<string, string>): Promise<void> {
  for (const [label, value] of Object.entries(values)) await there.fill(label, value)
}

/** Expects the user's name in the menu. */
export async function greeted(there: Visit, initials: string): Promise<void> {
  await there.openMenu()
  await there.sees(initials)
  for (const name of ['Your Orders', 'Your Listings', 'Log Out']) await there.one('link', name).waitFor()
}

/** Opens login or signup from the menu: a dialog with scripts, a page without. */
export async function choose(there: Visit, name: 'Log In' | 'Sign Up'): Promise<void> {
  await there.openMenu()
  await there.press('link', name)
  await there.dialog(name)
}
