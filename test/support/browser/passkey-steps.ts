import type { CDPSession } from 'playwright-core'
import { openShop, type Person, type TestShop } from '../shop.ts'
import type { Visit } from './steps.ts'

/** A shop under a name: browsers offer no passkeys at an IP address. */
export async function openNamedShop(): Promise<TestShop> {
  const own = await openShop()
  return { ...own, address: own.address.replace('127.0.0.1', 'localhost') }
}

/** The browser's virtual authenticator: a device with a PIN that stores passkeys, and confirms at once. */
export async function withDevice(there: Visit): Promise<{ devtools: CDPSession; device: string }> {
  const devtools = await there.page.context().newCDPSession(there.page)
  await devtools.send('WebAuthn.enable')
  const { authenticatorId: device } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return { devtools, device }
}

/** As a browser that suggests no passkeys: the virtual authenticator would take a suggestion at once. */
export const withoutSuggestions = (there: Visit): Promise<unknown> =>
  there.page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = async () => false
  })

/** Waits for a message of the page. */
export const status = (there: Visit, words: string): Promise<void> =>
  there.page.getByRole('status').getByText(words).waitFor()

/** Adds a passkey on the security page. */
export async function add(there: Visit, person: Person, name: string): Promise<void> {
  await there.fill('Name of the passkey', name)
  await there.fill('Current password, to add it', person.password)
  await there.press('button', 'Add a passkey')
  await status(there, `The passkey “${name}” is added`)
}

/** Ends the browser’s session, as a user does who comes back later. */
export async function endSession(there: Visit): Promise<void> {
  // The page loads its data again after a change.
  await there.page.locator('main[aria-busy=false]').waitFor()
  await there.page.context().clearCookies()
}

/** Opens the form behind a summary such as 'Rename Phone, added March 7, 2026'. */
export const open = (there: Visit, what: 'Rename' | 'Remove', name: string): Promise<void> =>
  there.pressThis(there.page.locator(`summary[aria-label^="${what} ${name},"]`))

/** Presses a button by its label, which names the passkey. */
export const pressFor = (there: Visit, label: RegExp): Promise<void> =>
  there.pressThis(there.page.getByRole('button', { name: label }))
