import { data } from 'react-router'
import { fieldErrors } from '#contract'
import type { FieldErrors, Problem } from '#problem'
import { type Ask, attempt } from '#ui/api-client.ts'
import { accepted } from '#ui/flash.ts'
import { WRONG_PASSWORD } from '../contract.ts'
import { PasskeyName, PROOF_REQUIRED, type Proof } from '../passkeys-contract.ts'

/** The result of a form about passkeys. */
export interface PasskeyResult {
  /** Success message. */
  done?: string
  /** Which form was refused: 'add', 'rename-7', 'remove-7'. */
  form?: string
  errors?: FieldErrors
  /** What was typed as a name. */
  name?: string
}

export interface PasskeyChange {
  passkey: PasskeyResult
  /** The session has ended. */
  loginNeeded?: boolean
}

/** Messages of forms sent without scripts. */
export const PASSKEY_DONE = {
  renamed: { passkey: { done: 'The passkey has its new name' } },
  removed: { passkey: { done: 'The passkey is removed' } },
} satisfies Record<string, PasskeyChange>

const loadPasskeys = () => import('./passkeys.ts')
const SCRIPTS = 'Adding a passkey needs scripts: the browser itself has to ask your device'

/** Adds, renames or removes a passkey, by `intent`. Adding runs in the browser only. */
export async function changePasskeys(ask: Ask, request: Request, form: FormData) {
  const id = String(form.get('id') ?? '')
  const name = String(form.get('name') ?? '')
  switch (form.get('intent')) {
    case 'passkey-add': {
      if (import.meta.env.SSR) return refusal('add', { server: SCRIPTS }, 400)
      const errors = name.trim() ? fieldErrors(PasskeyName, { name }) : undefined
      if (errors) return refusal('add', errors, 400, name)
      const { response, problem } = await attempt(addPasskey(ask, form, name))
      if (problem) return refused('add', problem, name)
      return { passkey: { done: `The passkey “${response.name}” is added` } } satisfies PasskeyChange
    }
    case 'passkey-rename': {
      const errors = fieldErrors(PasskeyName, { name })
      if (errors) return refusal(`rename-${id}`, errors, 400, name)
      const { problem } = await attempt(ask('PUT /api/auth/passkeys/:id', { params: { id }, body: { name } }))
      if (problem) return refused(`rename-${id}`, problem, name)
      return accepted(request, PASSKEY_DONE.renamed, 'renamed')
    }
    default: {
      const { problem } = await attempt(removePasskey(ask, form, id))
      // A passkey that is already removed is a success.
      if (problem && problem.status !== 404) return refused(`remove-${id}`, problem)
      return accepted(request, PASSKEY_DONE.removed, 'removed')
    }
  }
}

async function addPasskey(ask: Ask, form: FormData, name: string) {
  const { createPasskey } = await loadPasskeys()
  const options = await ask('POST /api/auth/passkeys/challenge', { body: await proofOf(ask, form) })
  const credential = await createPasskey(options)
  return ask('POST /api/auth/passkeys', { body: { ...(name.trim() ? { name } : {}), credential } })
}

async function removePasskey(ask: Ask, form: FormData, id: string) {
  const body = await proofOf(ask, form)
  return ask('POST /api/auth/passkeys/:id/remove', { params: { id }, body })
}

/** The password that was typed, or the assertion of a passkey if that button was pressed. */
export async function proofOf(ask: Ask, form: FormData): Promise<Proof> {
  if (form.get('proof') !== 'passkey' || import.meta.env.SSR)
    return { current_password: String(form.get('current_password') ?? '') }
  const { signWith } = await loadPasskeys()
  return { passkey: await signWith(await ask('POST /api/auth/passkeys/confirmation')) }
}

function refused(form: string, problem: Problem, name?: string) {
  const field = [WRONG_PASSWORD, PROOF_REQUIRED].includes(problem.message) ? 'current_password' : 'server'
  return refusal(form, { [field]: problem.message }, problem.status || 503, name)
}

const refusal = (form: string, errors: FieldErrors, status: number, name?: string) =>
  data<PasskeyChange>(
    { passkey: { form, errors, ...(name === undefined ? {} : { name }) }, loginNeeded: status === 401 },
    status,
  )
