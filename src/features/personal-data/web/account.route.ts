import type { ActionFunctionArgs, LoaderFunctionArgs } from 'react-router'
import { deleteAccount, loadDeletion } from './deleteAccount.ts'
import { loadNames, saveNames } from './names.ts'

/** The account is at its address, its deletion at the address below it. */
const isDeletion = ({ request }: { request: Request }) => /\/delete\/?$/.test(new URL(request.url).pathname)

/** What the page shows: the user and their data, or what a deletion would do. */
export const loader = (args: LoaderFunctionArgs) => (isDeletion(args) ? loadDeletion(args) : loadNames(args))

/** Saves names, requests the data, or deletes the account. */
export const action = (args: ActionFunctionArgs) => (isDeletion(args) ? deleteAccount(args) : saveNames(args))

export const handle = {
  title: (page: object) => ('preview' in page ? 'Delete your account' : 'Your account'),
}
