import { useEffect, useMemo } from 'react'
import { data, type Location, redirect, useActionData, useLocation, useSearchParams } from 'react-router'
import type { Problem } from '#problem'

/** Why a link of a page does not download its file. */
export const FILE_LATER = 'The file cannot be made just now. Please try again later'

/** Query parameter with the name of a flash message. */
export const FLASH = 'done'

/**
 * Response to an accepted form: the result for scripts; otherwise a redirect to the same address (POST/redirect/GET),
 * so that a reload sends nothing again. Scripts get a copy, because pages detect a new result by its identity and
 * `result` may be constant.
 * @param flash name of the message to show there
 */
export function accepted<T>(request: Request, result: T, flash?: string): T | Response {
  if (!import.meta.env.SSR) return structuredClone(result)
  const { pathname, search } = new URL(request.url)
  const query = new URLSearchParams(withoutFlash(search))
  if (flash) query.set(FLASH, flash)
  return redirect(query.size > 0 ? `${pathname}?${query}` : pathname)
}

/** What the result of a refused form says. */
export interface Refusal {
  problems?: string[]
  /** The session has ended. */
  loginNeeded?: boolean
  /** The account that has opened the form. */
  account?: string
}

/**
 * Response to a refused form: why, and whether the session has ended. Its status is 503 if the server did not answer.
 * @param result what the page shows besides. Its `problems` replace those of the refusal
 */
export const refused = <T extends Refusal>({ errors, status }: Problem, result?: Partial<T>) =>
  data({ problems: errors, loginNeeded: status === 401, ...result }, status || 503)

/** The flash message after a form that was sent with scripts: it is not in the address. */
let pendingFlash: PendingFlash | undefined

interface PendingFlash {
  to: string
  flash: string
  /** Key of the location that sent the form. */
  from: string
  /** Key of the location that shows the message: a link to another part of the page ends it. */
  shownAt?: string
}

/** Response to an accepted form: redirects to another page, with a flash message. */
export function leadsTo(to: string, flash: string): Response {
  if (import.meta.env.SSR) return redirect(`${to}?${FLASH}=${flash}`)
  pendingFlash = { to, flash, from: history.state?.key ?? 'default' }
  return redirect(to)
}

/** The flash message of this page. Undefined once a form of the page has a result, which is newer. */
export function useFlash<T>(messages: Record<string, T>): T | undefined {
  const pending = pendingAt(useLocation())
  // Shown once, not again after Back.
  useEffect(
    () => () => {
      if (pendingFlash === pending) pendingFlash = undefined
    },
    [pending],
  )
  const result = useActionData()
  useEffect(() => {
    if (result !== undefined) pendingFlash = undefined
  }, [result])
  const name = useSearchParams()[0].get(FLASH) ?? ''
  // A new object each time: pages detect a second message of the same kind by its identity.
  const message = useMemo(() => copyOf(messages, pending ?? { flash: name }), [messages, pending, name])
  return result === undefined ? message : undefined
}

function pendingAt({ pathname, key }: Location): PendingFlash | undefined {
  if (pendingFlash?.to !== pathname || pendingFlash.from === key) return undefined
  pendingFlash.shownAt ??= key
  return pendingFlash.shownAt === key ? pendingFlash : undefined
}

const copyOf = <T>(messages: Record<string, T>, { flash }: { flash: string }): T | undefined =>
  Object.hasOwn(messages, flash) ? structuredClone(messages[flash]) : undefined

/** A query without its flash message. */
export function withoutFlash(search: string): string {
  const query = new URLSearchParams(search)
  query.delete(FLASH)
  return query.size > 0 ? `?${query}` : ''
}

/** Removes the flash message from the address, so that a reload or shared link does not show it. */
export function forgetFlash(): void {
  const { pathname, search, hash } = location
  if (!new URLSearchParams(search).has(FLASH)) return
  history.replaceState(history.state, '', pathname + withoutFlash(search) + hash)
}
