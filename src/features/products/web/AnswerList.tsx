import type { Answer } from '../questions-contract.ts'
import './answers.css'

/** The answers of a shopper about a piece. Nothing without any. */
export const AnswerList = ({ answers }: { answers?: Answer[] | undefined }) =>
  answers ? (
    <dl className="answers">
      {answers.map(({ question, answer }) => (
        <div key={question}>
          <dt dir="auto">{question}</dt>
          <dd dir="auto">{answer}</dd>
        </div>
      ))}
    </dl>
  ) : null
