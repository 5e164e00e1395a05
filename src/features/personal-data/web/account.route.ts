import type { ActionFunctionArgs, LoaderFunctionArgs } from 'react-router'
import { type DeletionPage, deleteAccount, loadDeletion } from './deleteAccount.ts'
import { loadNames, type NamesPage, saveNames } from './names.ts'

/** The account is at its address, its deletion at the address below it. */
const isDeletion = ({ request }: { request: Request }) => /\/delete\/?$/.test(new URL(request.url).pathname)

/** What the page shows: the user, or what a deletion would do. */
export const loader = (args: LoaderFunctionArgs): Promise<NamesPage | DeletionPage> =>
  isDeletion(args) ? loadDeletion(args) : loadNames(args)

/** Saves names, or deletes the account. */
export const action = (args: ActionFunctionArgs) => (isDeletion(args) ? deleteAccount(args) : saveNames(args))

export const handle = {
  title: (page: object) => ('preview' in page ? 'Delete your account' : 'Your account'),
}
