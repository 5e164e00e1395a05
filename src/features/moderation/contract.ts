import * as z from 'zod/mini'
import { sellerParams } from '#accounts/seller-path.ts'
import { defineCalls, PathId } from '#contract'
import { NewReport, Notice, NoticePage, NoticesQuery, Objection, Received } from './notices-contract.ts'
import { operateCalls } from './operate-contract.ts'
import { setupCalls } from './setup-contract.ts'

const one = z.object({ id: PathId })
const decision = z.object({ decisionId: PathId })

export const calls = defineCalls({
  ...setupCalls,
  'POST /api/products/:id/reports': {
    summary: 'Report a listing to those who run the shop; no login is needed',
    params: one,
    body: NewReport,
    response: Received,
    status: 201,
  },
  'POST /api/reviews/:id/reports': {
    summary: 'Report a review to those who run the shop; no login is needed',
    params: one,
    body: NewReport,
    response: Received,
    status: 201,
  },
  'POST /api/reviews/:id/reply/reports': {
    summary: 'Report the reply to a review to those who run the shop; no login is needed',
    params: one,
    body: NewReport,
    response: Received,
    status: 201,
  },
  'POST /api/shops/:username/reports': {
    summary: 'Report a maker to those who run the shop; no login is needed',
    params: sellerParams,
    body: NewReport,
    response: Received,
    status: 201,
  },
  'GET /api/notices/': {
    summary: 'What those who run the shop decided about one, newest first',
    query: NoticesQuery,
    response: NoticePage,
  },
  'POST /api/notices/:decisionId/objection': {
    summary: 'Object to a decision about one, once',
    params: decision,
    body: Objection,
    response: Notice,
    status: 201,
  },
  ...operateCalls,
})
