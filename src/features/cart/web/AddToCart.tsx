import { type MouseEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { useActionData, useFetcher } from 'react-router'
import { loginTo } from '#accounts/web/person.ts'
import { useMayNotBuy, useUser } from '#accounts/web/session.ts'
import { useLoginDialog } from '#accounts/web/useLoginDialog.tsx'
import { dollars } from '#money'
import type { FieldErrors } from '#problem'
import { refusedAnswers } from '#products/answer-rules.ts'
import type { Listing } from '#products/contract.ts'
import type { ListingDetails } from '#products/details-contract.ts'
import { listedPrice } from '#products/listed-price.ts'
import type { Answer } from '#products/questions-contract.ts'
import { chosenCombination, shopperQuestions } from '#products/variation-text.ts'
import { useRules } from '#ui/fields.tsx'
import { useFlash } from '#ui/flash.ts'
import { useTransient } from '#ui/use-transient.ts'
import './cart.css'
import { SubmitButton } from '#ui/SubmitButton.tsx'
import { AnswerFields } from './AnswerFields.tsx'
import { answersIn, writeAnswers } from './answerForm.ts'
import { ChosenCombination } from './ChosenCombination.tsx'
import { useChosenAnswers } from './useChosenAnswers.ts'

interface Props {
  listing: Pick<Listing, 'id' | 'name' | 'stock' | 'price' | 'price_varies' | 'seller_id'>
  details: ListingDetails
  /** What else is in the row of the button. */
  children: ReactNode
}
/** Result of "Add to cart". */
export interface AddResult {
  message: string
  /** Why answers were refused, by the title of the question. */
  fields?: FieldErrors
  /** The answers, if they are not in the cart yet. */
  answers?: Answer[]
  failed: boolean
  /** The server's message. */
  reason?: string
  /** The quantity, if only a login is missing. */
  loginNeeded?: number
  /** The quantity that was not added. */
  quantity?: number
}

const QUANTITIES = [1, 2, 3]
/** Flash message of a form sent without scripts. */
const ADDED = { added: { message: 'Item added to cart!', failed: false } } satisfies Record<string, AddResult>

/** A missing login is not styled as an error. */
const classOf = ({ failed, loginNeeded }: AddResult) => {
  if (loginNeeded !== undefined) return 'login-needed'
  return failed ? 'error' : 'success'
}

/** The variations and questions of a listing, quantity, and "Add to cart". */
export function AddToCart({ listing, details, children }: Props) {
  const { id, name, stock } = listing
  const formId = `add-${id}`
  const { variations } = details
  const questions = shopperQuestions(details)
  const action = `/products/${id}`
  const fetcher = useFetcher<AddResult>()
  const sentWithoutScripts = useActionData<AddResult>()
  const user = useUser()
  const mayNotBuy = useMayNotBuy(listing)
  const flash = useFlash<AddResult>(ADDED)
  const latest = fetcher.data ?? sentWithoutScripts ?? (user ? flash : undefined)
  const result = useTransient(latest)
  const { errors, form } = useRules(
    typed => refusedAnswers(questions, answersIn(typed)),
    fetcher.data?.fields ?? sentWithoutScripts?.fields,
  )
  const chosen = useChosenAnswers(variations, form.ref)
  const combination = chosenCombination(variations.variations, variations.combinations, chosen)
  const submit = useRef<HTMLButtonElement>(null)
  const quantity = useRef<HTMLSelectElement>(null)
  const { login } = useLoginDialog()
  // The session of the page may have ended. After a login of any user the result is cleared.
  const [answered, setAnswered] = useState({ latest, user })
  if (answered.latest !== latest) setAnswered({ latest, user })
  const loggedIn = user !== null && user !== answered.user
  // The login link stays after the message has gone, for slow readers and keyboard focus.
  const pendingQuantity = stock > 0 && !loggedIn ? latest?.loginNeeded : undefined
  /** Completes the add after the login; forgets it if the dialog is closed. */
  const askLogin = (event: MouseEvent) => {
    event.preventDefault()
    const send = () => void fetcher.submit(form.ref.current, { method: 'post', action })
    login(send, `to add ${name} to your cart`)
  }
  // After the login the link is removed with its focus.
  const previous = useRef(pendingQuantity)
  useEffect(() => {
    const isDone = previous.current !== undefined && pendingQuantity === undefined
    previous.current = pendingQuantity
    if (isDone && document.activeElement === document.body) submit.current?.focus()
  }, [pendingQuantity])
  // A quantity above the stock cannot stay chosen: a browser would send nothing.
  useEffect(() => {
    const { current } = quantity
    if (current && Number(current.value) > stock) current.value = String(stock)
  }, [stock])
  const notAdded = Math.min(sentWithoutScripts?.quantity || 1, stock)
  const written = writeAnswers(latest?.answers)
  const next =
    written === undefined
      ? action
      : `/cart?add=${id}&quantity=${pendingQuantity}${written && `&answers=${encodeURIComponent(written)}`}`
  const message = (
    <div className="message">
      <div role="status">
        {result && (
          <>
            <p className={classOf(result)}>{result.message}</p>
            {result.reason && <p>{result.reason}</p>}
          </>
        )}
      </div>
      {pendingQuantity !== undefined && (
        <>
          {/* Same height as the message, so that nothing moves. */}
          {!result && <p className="login-needed">It is added once you log in.</p>}
          {sentWithoutScripts && written === undefined && (
            <p>Copy your answers first: they are too long to be kept while you log in.</p>
          )}
          <a className="button quiet" href={loginTo(next)} onClick={askLogin}>
            Log In
          </a>
        </>
      )}
    </div>
  )
  // It may sell out while the page is open.
  if (stock === 0 || mayNotBuy)
    return (
      <div className="sold-out-row">
        <p className="sold-out-notice">{stock === 0 ? `${name} is sold out.` : 'This is your own piece.'}</p>
        {children}
        {result && message}
      </div>
    )
  return (
    <>
      <fetcher.Form id={formId} className="choosing" method="post" action={action} {...form}>
        {questions.length > 0 && (
          <AnswerFields
            questions={questions}
            variations={variations}
            typed={sentWithoutScripts?.answers}
            errors={errors}
          />
        )}
        <ChosenCombination variations={variations} answers={chosen} />
      </fetcher.Form>
      {/* Outside of the form, which may be long: on a phone it stays at the bottom, with the price. */}
      <div
        className="add-to-cart"
        data-price={combination ? dollars(combination.price) : listedPrice(listing)}
      >
        <label>
          <span>Quantity</span>
          <select ref={quantity} form={formId} name="quantity" defaultValue={pendingQuantity ?? notAdded}>
            {QUANTITIES.map(n => (
              <option key={n} disabled={n > stock}>
                {n}
              </option>
            ))}
          </select>
        </label>
        <SubmitButton ref={submit} form={formId} busy={fetcher.state === 'submitting'}>
          Add to cart
        </SubmitButton>
        {children}
        {message}
      </div>
    </>
  )
}
