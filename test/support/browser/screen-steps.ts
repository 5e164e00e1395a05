import type { Visit } from './steps.ts'

type Steps = (there: Visit) => Promise<unknown>
/** The viewer: a user with everything; a new user; a user whose cart exceeds the stock. */
export type Viewer = 'person' | 'newcomer' | 'latecomer' | 'visitor'

/** A page or dialog. */
export interface Screen {
  name: string
  path: () => string
  /** Default: 'person'. */
  viewer?: Viewer
  /** What to do there before the check. */
  steps?: Steps
  expects?: RegExp
}

/** Opens the menu of the header. */
export const opensMenu: Steps = there => there.openMenu()

/** Presses a button that opens a dialog. */
export const presses =
  (name: string, title: string): Steps =>
  async there => {
    await there.one('button', name).first().click()
    await there.one('dialog', title).waitFor()
  }

/** Opens login or signup from the menu, and sends it empty. */
export const fromMenu =
  (name: 'Log In' | 'Sign Up'): Steps =>
  async there => {
    await there.openMenu()
    await there.press('link', name)
    const dialog = there.one('dialog', name)
    await dialog.getByRole('button', { name }).click()
    await dialog.locator('[aria-invalid]').first().waitFor()
  }

/** Sends a form with mistakes. */
export const submits =
  (name: string): Steps =>
  async there => {
    await there.press('button', name)
    await there.page.locator('[aria-invalid]').first().waitFor()
  }

/** Data of the screens. */
export interface Scene {
  /** A listing of the user's own with two reviews; a sold-out one by another seller, without reviews. */
  product: number
  soldOut: number
  order: number
  /** Somebody has asked the user. */
  conversation: number
  review: number
  /** Shop pages of the person and of the newcomer. */
  shop: string
  emptyShop: string
}

/** Opens the dialog that deletes a listing. */
export async function deletes(there: Visit): Promise<void> {
  await there.page.getByRole('button', { name: 'Delete' }).first().click()
  await there.one('dialog', 'Confirm Delete').waitFor()
}

/** Opens the dialog that cancels the order. */
export const cancels =
  (scene: Scene): Steps =>
  async there => {
    await there.press('button', `Cancel Order #${scene.order}`)
    await there.one('dialog', 'Are you sure you want to cancel?').waitFor()
  }
