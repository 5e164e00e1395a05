import { createHash } from 'node:crypto'
import type { Id } from '#contract'
import type { Database } from '#platform/database/database.ts'
import { Problem } from '#problem'
import { refusedAnswers, writtenAnswers } from '#products/answer-rules.ts'
import type { Answer, Question } from '#products/questions-contract.ts'

/** What tells lines of one listing apart: its combination and its answers; '' without both. */
export const answersDigest = (answers: Answer[], variantId: Id | null): string =>
  answers.length === 0
    ? ''
    : createHash('sha256')
        .update(JSON.stringify([variantId, ...answers.map(({ question, answer }) => [question, answer])]))
        .digest('base64url')

/** The answers to a listing's questions, as they are stored. @throws Problem 400 with a message for each question */
export function requireAnswers(questions: Question[], answers: Answer[]): Answer[] {
  const fields = refusedAnswers(questions, answers)
  const errors = Object.values(fields ?? {})
  if (fields && errors[0] !== undefined) throw new Problem(400, errors[0], { errors, fields })
  return writtenAnswers(questions, answers)
}

/** Lines of one listing in a cart. */
interface Held {
  /** Units of the line with these answers. Undefined without one. */
  line: number | undefined
  /** Units of the other lines. */
  elsewhere: number
}

/** What a cart holds of a listing, or of one of its combinations. @param line is in it, or could be */
export async function heldOf(
  db: Database,
  userId: Id,
  line: { product_id: Id; variant_id: Id | null; answers_digest: string },
): Promise<Held> {
  const lines = await db
    .selectFrom('cart_lines')
    .select(['quantity', 'answers_digest'])
    .where('user_id', '=', userId)
    .where('product_id', '=', line.product_id)
    .where('variant_id', 'is not distinct from', line.variant_id)
    .execute()
  const isLine = ({ answers_digest }: { answers_digest: string }) => answers_digest === line.answers_digest
  const others = lines.filter(other => !isLine(other))
  return {
    line: lines.find(isLine)?.quantity,
    elsewhere: others.reduce((sum, { quantity }) => sum + quantity, 0),
  }
}

/** Refusal of units beyond the stock, of which other lines hold some. */
export const alreadyHeld = (name: string, held: number, stock: number): string =>
  `Your cart already holds ${held} of ${name}; only ${stock} in stock`
