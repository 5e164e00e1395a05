import { Form, Link, useActionData } from 'react-router'
import { SettingsPage } from '#accounts/web/SettingsPage.tsx'
import { formatDate } from '#format-date'
import { MAX_RUNNING, OPEN_DAYS } from '#orders/contract.ts'
import { RECEIVED_AFTER_DAYS } from '#orders/detail-contract.ts'
import { LineName } from '#orders/web/LineName.tsx'
import { Problems, useRules } from '#ui/fields.tsx'
import { PasswordField } from '#ui/PasswordField.tsx'
import { SubmitButton } from '#ui/SubmitButton.tsx'
import { useSending } from '#ui/use-sending.ts'
import type { DeletionPreview } from '../contract.ts'
import { type DeletionPage, type DeletionResult, validateDeletion } from './deleteAccount.ts'
import './personalData.css'

/** Before the deletion and after it. */
export const Deletion = ({ preview }: DeletionPage) => (preview ? <Preview {...preview} /> : <Deleted />)

const Deleted = () => (
  <>
    <h1>Your account is deleted</h1>
    <p>You are logged out everywhere. Thank you for having been here.</p>
    <p>
      <Link className="button quiet" to="/">
        See what others make
      </Link>
    </p>
  </>
)

type PreviewProps = NonNullable<DeletionPage['preview']>

/** What goes, what stays and why; then the form, or the orders that come first. */
function Preview({ listings, drafts, reviews, running, last_operator, user, isDemo }: PreviewProps) {
  return (
    <SettingsPage title="Delete your account">
      <p>
        This cannot be undone. You may want to <Link to="/settings/account">download your data</Link> first.
      </p>
      <h2>What goes</h2>
      <ul className="points">
        <li>Your names, your e-mail address, your password, and where you are logged in</li>
        <li>
          Your shop page with its picture
          {listings > 0 &&
            `, and ${listings === 1 ? '1 listing' : `${listings} listings`}, also retired ones`}
          {drafts > 0 && `, and ${drafts === 1 ? '1 draft' : `${drafts} drafts`}`}
        </li>
        <li>Photos and documents, and your replies to reviews of your listings</li>
        <li>Your cart, and what you have saved</li>
        <li>Your addresses, also in the orders that you placed; your postage and pick-up places</li>
        <li>What you wrote: messages, and notes and reasons about orders</li>
      </ul>
      <h2>What stays, and why</h2>
      <ul className="points">
        <li>
          Orders, with the names and prices of their pieces, tracking numbers and what happened to them, but
          without your name: others need them too, and the books of the shop must add up
        </li>
        <li>
          Your username and the names of your shop are held for a year, so that nobody takes your place. Only
          numbers are stored that do not say the names. Your e-mail address can sign up again at once
        </li>
        <li>
          What you reported, in your words but without your name: those who run the shop must be able to show
          why they decided
        </li>
        <li>Backups of the shop hold your data until they are deleted in their turn</li>
      </ul>
      {isDemo ? (
        <p className="demo-note">The demo account is everybody’s: it stays as it is.</p>
      ) : last_operator ? (
        <p>
          You are the last operator of this shop: <Link to="/operate/operators">name another one</Link> first.
        </p>
      ) : running.length > 0 ? (
        <Running orders={running} />
      ) : (
        <DeletionForm reviews={reviews} email={user.email} />
      )}
    </SettingsPage>
  )
}

/** Orders that must be settled first. */
function Running({ orders }: { orders: DeletionPreview['running'] }) {
  return (
    <section className="running" aria-labelledby="running">
      <h2 id="running">These orders come first</h2>
      <p>
        {`Somebody still waits for a piece. You can delete your account when every piece is received or cancelled. A parcel counts as received ${RECEIVED_AFTER_DAYS} days after it was sent, or a week after it was expected, whichever is later, and an order from which nothing was sent for ${OPEN_DAYS} days keeps nobody here.`}
      </p>
      <ul className="points">
        {orders.map(order => (
          <li key={order.id}>
            {order.role === 'shopper' ? 'You ordered ' : 'Ordered from you: '}
            <Pieces pieces={order.pieces} />
            {`, ${formatDate(order.created_at)}. `}
            <WhatToDo order={order} />
          </li>
        ))}
      </ul>
      {orders.length === MAX_RUNNING && (
        <p>
          {'There may be more: see '}
          <Link to="/orders">your orders</Link>
          {' and '}
          <Link to="/sold">what you have sold</Link>.
        </p>
      )}
    </section>
  )
}

/** A link to where a running order can be ended, or to the order itself. */
function WhatToDo({ order: { id, role, state, begun } }: { order: DeletionPreview['running'][number] }) {
  if (role === 'maker')
    return (
      <Link to={`/sold/${id}`}>
        {state === 'sent' ? `Order ${id}, which is on its way` : `Send or cancel order ${id}`}
      </Link>
    )
  if (state === 'sent') return <Link to={`/orders/${id}`}>{`Order ${id}: say when it has arrived`}</Link>
  return begun ? (
    <Link to={`/orders/${id}`}>{`Order ${id}: ask the maker about the rest`}</Link>
  ) : (
    <Link to={`/orders/${id}/delete-order`}>{`Cancel order ${id}`}</Link>
  )
}

const Pieces = ({ pieces }: Pick<DeletionPreview['running'][number], 'pieces'>) =>
  pieces.map((piece, n) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: an order can have several lines of one listing
    <span key={n}>
      {n > 0 && ', '}
      {`${piece.quantity} × `}
      <LineName line={piece} />
    </span>
  ))

function DeletionForm({ reviews, email }: { reviews: number; email: string }) {
  const result = useActionData<DeletionResult>()
  const busy = useSending()
  const { errors, form } = useRules(validateDeletion, result?.fields)
  return (
    <Form method="post" action="/settings/account/delete" className="deletion choices" {...form}>
      <Problems messages={result?.problems} />
      {reviews > 0 ? (
        <fieldset>
          <legend>{reviews === 1 ? 'Your review' : `Your ${reviews} reviews`}</legend>
          <label>
            <input type="radio" name="reviews" value="keep" defaultChecked={result?.reviews !== 'remove'} />
            {reviews === 1 ? 'Stays' : 'Stay'}, written by “Deleted account”
          </label>
          <label>
            <input type="radio" name="reviews" value="remove" defaultChecked={result?.reviews === 'remove'} />
            {reviews === 1 ? 'Is deleted, with its stars' : 'Are deleted, with their stars'}
          </label>
        </fieldset>
      ) : (
        <input type="hidden" name="reviews" value="remove" />
      )}
      {/* The account of this password, for the browser's password manager. */}
      <input type="hidden" name="username" autoComplete="username" value={email} />
      <PasswordField
        label="Your Password"
        name="current_password"
        autoComplete="current-password"
        required
        error={errors.current_password}
      />
      <div className="field">
        <label className="tick">
          <input
            type="checkbox"
            name="confirmed"
            value="yes"
            required
            aria-invalid={errors.confirmed ? true : undefined}
            aria-describedby={errors.confirmed ? 'confirmed-error' : undefined}
          />
          Yes, delete my account for good
        </label>
        {errors.confirmed && (
          <p className="error" id="confirmed-error">
            {errors.confirmed}
          </p>
        )}
      </div>
      <p className="actions">
        <Link className="button quiet" to="/settings/account">
          Keep my account
        </Link>
        <SubmitButton className="button danger" busy={busy}>
          Delete my account
        </SubmitButton>
      </p>
    </Form>
  )
}
