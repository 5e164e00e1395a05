import { useNavigation } from 'react-router'

/** Whether a form of the page is being sent. Not while a link loads its page: then a form can still be sent in its place. */
export const useSending = (): boolean => useNavigation().formMethod === 'POST'
