import { Form, Link, useActionData, useLoaderData } from 'react-router'
import { MakerLink } from '#accounts/web/MakerLink.tsx'
import { FormResult } from '#ui/FormResult.tsx'
import { useFlash } from '#ui/flash.ts'
import { SubmitButton } from '#ui/SubmitButton.tsx'
import { useSending } from '#ui/use-sending.ts'
import type { DirectConversation } from '../contract.ts'
import { Conversation } from './Conversation.tsx'
import { type DirectResult, DONE, type loader } from './direct.route.ts'
import './messages.css'

/** A conversation without an order, for both of its sides. */
export function Page() {
  const { conversation, about } = useLoaderData<typeof loader>()
  const name = conversation?.other.name ?? 'the other side'
  return (
    <article className="conversation">
      <p>
        <Link className="alone" to="/messages">
          All your messages
        </Link>
      </p>
      <h1 dir="auto">{name}</h1>
      <Result />
      {conversation && <About conversation={conversation} />}
      <Conversation
        conversation={conversation}
        other={name}
        closed={closedBy(conversation)}
        start={about && `About ${about}: `}
      />
      {conversation && conversation.other.username !== null && <Stop conversation={conversation} />}
    </article>
  )
}

function Result() {
  const flash = useFlash<DirectResult>(DONE)
  const result = useActionData<DirectResult>() ?? flash
  return <FormResult result={result} problems={result?.problems} />
}

/** The other side of the conversation, and the listing that it began with. */
function About({ conversation: { role, other, listing } }: { conversation: DirectConversation }) {
  const isMaker = role === 'shopper'
  return (
    <>
      {isMaker && other.username !== null && !other.suspended && (
        <p>
          <MakerLink className="alone" username={other.username}>
            {`Everything by ${other.name}`}
          </MakerLink>
        </p>
      )}
      {!isMaker && other.username !== null && (
        <p className="hint">They have no order with you in this conversation. They see your answers here.</p>
      )}
      {listing && (
        <p className="topic">
          {'It began with '}
          <Link to={`/products/${listing.id}`} dir="auto">
            {listing.name}
          </Link>
        </p>
      )}
    </>
  )
}

/** The message that a side has stopped the conversation. Undefined otherwise, also if the other account is deleted. */
function closedBy(conversation: DirectConversation | null): string | undefined {
  switch (conversation?.other.username === null ? null : conversation?.stopped) {
    case 'you':
      return `You have stopped these messages. Neither of you can write, until you allow them again.`
    case 'other':
      return `${conversation?.other.name} has stopped these messages, so you cannot write here.`
    default:
      return undefined
  }
}

/** Button to stop the messages, or, for the side that stopped them, to allow them again. */
function Stop({ conversation: { other, stopped } }: { conversation: DirectConversation }) {
  const busy = useSending()
  return (
    <Form method="post" className="stop-messages" preventScrollReset>
      {stopped === 'you' ? (
        <SubmitButton className="button quiet" busy={busy} name="intent" value="allow">
          Allow messages again
        </SubmitButton>
      ) : (
        <>
          <SubmitButton className="button quiet" busy={busy} name="intent" value="stop">
            Stop messages
          </SubmitButton>
          <p className="hint">
            {`${other.name} can then no longer write to you here, and reads that. You can allow it again.`}
          </p>
        </>
      )}
    </Form>
  )
}
