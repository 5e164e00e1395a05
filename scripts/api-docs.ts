/** `npm run api-docs`: writes docs/api.json (OpenAPI 3.1) from the contracts; a test compares it. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod/mini'
import * as accounts from '#accounts/contract.ts'
import * as addresses from '#addresses/contract.ts'
import * as cart from '#cart/contract.ts'
import * as checkout from '#checkout/contract.ts'
import { type Call, type Calls, Done, FieldRefusal, Refusal } from '#contract'
import * as draftPictures from '#draft-pictures/contract.ts'
import * as drafts from '#drafts/contract.ts'
import * as favourites from '#favourites/contract.ts'
import * as images from '#images/contract.ts'
import * as messages from '#messages/contract.ts'
import * as moderation from '#moderation/contract.ts'
import * as notifications from '#notifications/contract.ts'
import * as onboarding from '#onboarding/contract.ts'
import * as operators from '#operators/contract.ts'
import * as orders from '#orders/contract.ts'
import * as pages from '#pages/contract.ts'
import * as account from '#personal-data/contract.ts'
import * as postage from '#postage/contract.ts'
import * as products from '#products/contract.ts'
import * as reviews from '#reviews/contract.ts'
import * as sales from '#sales/contract.ts'
import * as search from '#search/contract.ts'
import * as sections from '#sections/contract.ts'
import * as shops from '#sellers/contract.ts'
import * as site from '#site/contract.ts'
import * as transfer from '#transfer/contract.ts'

type Json = Record<string, unknown>

/** All contracts, in the order of the document. */
const contracts = {
  accounts,
  search,
  products,
  drafts,
  postage,
  sections,
  images,
  shops,
  favourites,
  addresses,
  cart,
  reviews,
  checkout,
  orders,
  messages,
  sales,
  notifications,
  account,
  transfer,
  draftPictures,
  pages,
  moderation,
  onboarding,
  operators,
  site,
}

const description = [
  'Logging in or signing up sets a session cookie; a call that needs one answers 401 without it.',
  'Paths work with and without their trailing slash. A path whose id names nothing answers 404, a method that',
  'a path does not take 405, too many tries 429 and a busy shop 503, the last two with Retry-After in seconds.',
].join(' ')

/** Names of documented types. An exported schema is written once and referred to. */
const names = z.registry<{ id: string }>()
for (const [id, value] of Object.entries({ Done, Refusal, FieldRefusal })) names.add(value, { id })
for (const exported of Object.values(contracts).flatMap(contract => Object.entries(contract))) {
  const [id, value] = exported
  if (value instanceof z.ZodMiniObject) names.add(value, { id })
}

/** The whole API as an OpenAPI document. */
export function apiDocs(): string {
  const schemas: Json = {}
  const paths: Record<string, Json> = {}
  for (const [tag, contract] of Object.entries(contracts)) {
    const calls: Calls = 'calls' in contract ? contract.calls : {}
    for (const [key, call] of Object.entries(calls)) {
      const [method = '', path = ''] = key.split(' ')
      const address = path.replace(/:(\w+)/g, '{$1}')
      const operation = { tags: [tag], ...operationOf(key, call, schemas) }
      paths[address] = { ...paths[address], [method.toLowerCase()]: operation }
    }
  }
  const info = { title: 'Thrum', version: '1', description }
  return `${JSON.stringify({ openapi: '3.1.0', info, paths, components: { schemas } }, null, 2)}\n`
}

function operationOf(key: string, call: Call, schemas: Json): Json {
  const input = (schema: z.ZodMiniType) => jsonSchema(schema, 'input', schemas)
  const output = (schema: z.ZodMiniType) => ({
    'application/json': { schema: jsonSchema(schema, 'output', schemas) },
  })
  const { field = 'image' } = call
  const bytes = { type: 'string', contentMediaType: 'application/octet-stream' }
  const file = { type: 'object', properties: { [field]: bytes }, required: [field] }
  const body = call.consumes === 'multipart' ? { 'multipart/form-data': { schema: file } } : undefined
  const json = call.body && { 'application/json': { schema: input(call.body) } }
  const content = body ?? json
  return {
    summary: call.summary,
    parameters: [
      ...parametersOf(key, 'path', call.params),
      ...parametersOf(key, 'query', call.query),
      ...parametersOf(key, 'header', call.headers),
    ],
    ...(content ? { requestBody: { required: true, content } } : {}),
    responses: {
      [call.status ?? 200]: {
        description: call.status === 201 ? 'Created' : 'Done',
        ...(call.cursorOf ? { headers: { Link: LINK } } : {}),
        content: output(call.response),
      },
      default: {
        description: 'Refused, with the reasons',
        content: output(call.errors === 'fields' ? FieldRefusal : Refusal),
      },
    },
  }
}

/** Link header of a paged list. */
const LINK = {
  description: 'Where there are more: the address of the next page, as <address>; rel="next"',
  schema: { type: 'string' },
}

const FOLDED = 'without regard to case, accents or punctuation; at most 100 characters'

/** Descriptions of query parameters, by name. Those of one call, by 'METHOD /path name', come before them. */
const DESCRIPTIONS: Record<string, string> = {
  limit: 'At most so many, from 1 to 100; default 100',
  archive: 'The secret in the link of a letter: then 404 unless that archive is ready',
  reason: 'Why, for the log of the operators',
  cursor: 'Where to go on, as the answer before has said: in next_cursor, or in its Link header',
  q: 'Words to look for, in any form, in part or mistyped; at most 100 characters',
  category: 'Only what is in this category',
  place: 'Beginnings of words of the place of a maker; at most 100 characters',
  seller: 'Username of a maker, in whatever case: only their listings',
  min: 'Lowest price, in dollars; not above max',
  max: 'Highest price, in dollars',
  section: 'Id of a section of a maker’s shop: only the listings in it',
  in_stock: 'true: only what is in stock',
  name: 'A part of the name or title, without regard to case or accents',
  retired: 'true: the retired ones instead of those for sale',
  sold_out: 'true: only what has no stock',
  rating: 'Mean stars at least, from 1 to 5',
  sort: 'The order; newest first by default',
  stars: 'Only reviews with so many stars',
  id: 'Only the one with this id',
  state: 'Only sales in this state; late: open, and later than promised',
  search: 'An order number, or a part of the name of a shopper',
  listing: 'Id of a listing of the maker, which it is about',
  hidden: 'true: only the hidden ones',
  suspended: 'true: only those who are suspended',
  late: 'true: only orders that are late',
  version: 'An earlier version; the newest by default',
  from: 'Id of the notice to begin with; the newest by default',
  after: 'Only rows of the file after this one',
  author: 'Only reviews by the person with this id',
  'GET /api/drafts/ limit': `At most so many, from 1 to 100; default ${drafts.DRAFTS_AT_ONCE}`,
  'GET /api/products/ sort': 'The order; newest first by default, with words by relevance',
  'GET /api/products/suggestions q':
    'What has been typed so far: words of listings, in any form, in part or mistyped, and beginnings of names of makers and of words of categories; at most 100 characters',
  'GET /api/makers q':
    'Beginnings of words of the name of a shop, or the beginning of a username, or of a person’s name that is shown; at most 100 characters',
  'GET /api/makers category': 'Only makers with a listing in this category',
  'GET /api/operate/listings q': `The id of a listing, or a part of its name, title or description, or of the username or shop name of its seller, ${FOLDED}`,
  'GET /api/operate/reviews q': `The id of a review, or a part of it, of its reply, of the name of its listing or of the username of its author, ${FOLDED}`,
  'GET /api/operate/reviews hidden': 'true: only those that are hidden, or whose reply is',
  'GET /api/operate/people q': `A part of a username, a name, an email address or a shop name, ${FOLDED}`,
  'GET /api/operate/orders q': `The id of an order, or a part of its state, of the username, shop name or email address of its maker, or of the username, name or email address of its shopper, ${FOLDED}`,
  'GET /api/operate/log q':
    'The username or shop name of an operator or of the user concerned, or the id of an entry, a listing, a review or an order; at most 100 characters',
}

/** Parameters are strings on the wire; the schemas have their types. */
function parametersOf(
  key: string,
  location: 'path' | 'query' | 'header',
  schema: z.ZodMiniObject | undefined,
): Json[] {
  const { properties = {}, required = [] } = schema ? z.toJSONSchema(schema, { io: 'input' }) : {}
  return Object.entries(properties).map(([name, schema]) => {
    const description = location === 'query' && (DESCRIPTIONS[`${key} ${name}`] ?? DESCRIPTIONS[name])
    return {
      name,
      in: location,
      required: required.includes(name),
      ...(description ? { description } : {}),
      schema,
    }
  })
}

/** The JSON Schema of a type. Named types go into `schemas` and are referred to. */
function jsonSchema(type: z.ZodMiniType, io: 'input' | 'output', schemas: Json): Json {
  const { $schema: _, $defs = {}, ...schema } = z.toJSONSchema(type, { io, metadata: names })
  for (const [name, definition] of Object.entries($defs)) schemas[name] = pointed(definition as Json)
  return pointed(schema)
}

const pointed = (schema: Json): Json =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'))

if (import.meta.main) await writeFile(join(import.meta.dirname, '../docs/api.json'), apiDocs())
