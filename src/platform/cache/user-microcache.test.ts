import { afterEach, expect, test, vi } from 'vitest'
import { cachedForUser, invalidateUser } from './request-cache.ts'
import { UserMicrocache } from './user-microcache.ts'

afterEach(() => {
  vi.useRealTimers()
})

const ANA = 7
const put = (personal: UserMicrocache, key: string, asked = personal.moment(), bytes = 100) =>
  personal.put(key, { answer: key, person: ANA, asked }, bytes)

test('an answer is over a second after it was asked for, however late it came', () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const personal = new UserMicrocache()
  const asked = personal.moment()
  vi.advanceTimersByTime(900)
  put(personal, 'cart', asked)
  vi.advanceTimersByTime(99)
  expect(personal.find('cart')).toBe('cart')
  vi.advanceTimersByTime(1)
  expect(personal.find('cart')).toBeUndefined()
})

test('an answer that was asked for before a change is not given after it, whenever it comes', () => {
  const personal = new UserMicrocache()
  const before = personal.moment()
  personal.changed(ANA)
  put(personal, 'cart', before)
  expect(personal.find('cart')).toBeUndefined()
  const between = personal.moment()
  put(personal, 'cart', between)
  expect(personal.find('cart')).toBe('cart')
  personal.changed(ANA + 1)
  expect(personal.find('cart')).toBe('cart')
  personal.changed()
  put(personal, 'cart', between)
  expect(personal.find('cart')).toBeUndefined()
})

test('answers take at most 2 MB, and the oldest goes first', () => {
  const personal = new UserMicrocache()
  const large = 0.49 * 1024 * 1024
  for (const key of ['0', '1', '2', '3', '4']) put(personal, key, undefined, large)
  expect(['0', '1', '2', '3', '4'].map(key => personal.find(key))).toEqual([undefined, '1', '2', '3', '4'])
  put(personal, '1', undefined, large)
  expect(['1', '2'].map(key => personal.find(key))).toEqual(['1', '2'])
})

test('what is over makes room', () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const personal = new UserMicrocache()
  for (const key of ['0', '1', '2']) put(personal, key)
  vi.advanceTimersByTime(1_000)
  const before = personal.bytes
  put(personal, '3')
  expect(personal.bytes).toBeCloseTo(before / 3)
})

/** Somebody's request as it came at this moment. */
const request = (personal: UserMicrocache | undefined, more = {}) =>
  ({
    server: { cache: { personal } },
    headers: { cookie: 'session=x' },
    method: 'GET',
    userId: ANA,
    startedAt: personal?.moment(),
    ...more,
  }) as never
const room = () => ({ bytes: 100 })
const ask = async () => 'a look'

test('a change that comes while somebody is answered has them asked about again', async () => {
  const personal = new UserMicrocache()
  const meanwhile = async () => {
    invalidateUser(request(personal))
    return 'before'
  }
  expect(await cachedForUser(request(personal), 'cart', meanwhile, room)).toBe('before')
  expect(await cachedForUser(request(personal), 'cart', ask, room)).toBe('a look')
})

test.each([
  ['a request that came before anything was held', { startedAt: undefined }],
  ['nobody', { userId: null }],
  ['somebody who was not looked up', { userId: undefined }],
  ['a form', { method: 'POST' }],
  ['somebody without a cookie', { headers: {} }],
])('nothing is held for %s', async (_, more) => {
  const personal = new UserMicrocache()
  await cachedForUser(request(personal, more), 'cart', ask, room)
  expect(personal.bytes).toBe(0)
})

test('what is held is given to the same cookie alone, and not after a form', async () => {
  const personal = new UserMicrocache()
  await cachedForUser(request(personal), 'cart', ask, room)
  const again = async (more = {}) => cachedForUser(request(personal, more), 'cart', async () => 'asked', room)
  expect(await again()).toBe('a look')
  expect(await again({ headers: { cookie: 'session=y' } })).toBe('asked')
  expect(await again({ method: 'POST' })).toBe('asked')
})

test('a visitor who is refused has nobody asked about again', async () => {
  const personal = new UserMicrocache()
  await cachedForUser(request(personal), 'cart', ask, room)
  invalidateUser(request(personal, { userId: null }))
  expect(personal.find('session=x cart')).toBe('a look')
  invalidateUser(request(personal, { userId: undefined }))
  expect(personal.find('session=x cart')).toBeUndefined()
})
