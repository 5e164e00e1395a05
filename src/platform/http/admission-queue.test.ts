import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { AdmissionQueue } from './admission-queue.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const stays = () => {}
const open = (atOnce = 2) =>
  new AdmissionQueue({ atOnce, waiting: { cheap: 3, costly: 6 }, maxWait: 4_000, targetDelay: 400 })

/** A request; `inside` is true once admitted, and false once refused. */
function come(queue: AdmissionQueue, cost = 1, gone: (left: () => void) => void = stays) {
  const person: { inside: boolean | undefined } = { inside: undefined }
  void Promise.resolve(queue.acquire(cost, gone)).then(inside => {
    person.inside = inside
  })
  return person
}
const settled = () => vi.advanceTimersByTimeAsync(0)

test('up to its limits requests run or queue in order, the next is refused', async () => {
  const queue = open()
  const people = Array.from({ length: 6 }, () => come(queue))
  await settled()
  expect(people.map(({ inside }) => inside)).toEqual([true, true, undefined, undefined, undefined, false])
  queue.release(1)
  await settled()
  expect(people.map(({ inside }) => inside)).toEqual([true, true, true, undefined, undefined, false])
})

test('cheap requests go first, expensive ones do not starve', async () => {
  const queue = open(1)
  come(queue)
  const costly = come(queue, 3)
  const order: string[] = []
  for (let n = 0; n < 6; n++) {
    const cheap = come(queue)
    await settled()
    queue.release(1)
    await settled()
    order.push(cheap.inside ? 'cheap' : 'costly')
    if (costly.inside) break
  }
  expect(order).toEqual(['cheap', 'cheap', 'cheap', 'costly'])
})

test('a queue full of expensive requests refuses no cheap one', async () => {
  const queue = open(1)
  for (let n = 0; n < 3; n++) come(queue, 3)
  expect([queue.isFull(3), queue.isFull(1)]).toEqual([true, false])
})

test('a burst waits for a limited time', async () => {
  const queue = open(1)
  come(queue)
  const early = come(queue)
  await vi.advanceTimersByTimeAsync(3_900)
  expect(early.inside).toBe(undefined)
  queue.release(1)
  await settled()
  expect(early.inside).toBe(true)
  const late = come(queue)
  await vi.advanceTimersByTimeAsync(4_000)
  expect(late.inside).toBe(false)
})

test('under overload admitted requests have waited briefly', async () => {
  const queue = open(1)
  come(queue)
  const waiting = [come(queue), come(queue)]
  await vi.advanceTimersByTimeAsync(500)
  const third = come(queue)
  expect(await queue.acquire(1, stays)).toBe(false)
  queue.release(1)
  await settled()
  expect([...waiting, third].map(({ inside }) => inside)).toEqual([false, false, true])
})

test('under overload a stale queue refuses new requests; afterwards it admits them', async () => {
  const queue = open(1)
  come(queue)
  come(queue)
  await vi.advanceTimersByTimeAsync(250)
  expect(queue.isFull(1)).toBe(false)
  queue.countRefusal()
  expect([queue.isFull(1), queue.isFull(2)]).toEqual([true, false])
  const refused = come(queue)
  await settled()
  expect(refused.inside).toBe(false)
  await vi.advanceTimersByTimeAsync(260)
  expect(queue.isFull(1)).toBe(false)
})

test('an aborted request frees its place in the queue', async () => {
  const queue = open(1)
  come(queue)
  let leave = () => {}
  const impatient = come(queue, 1, left => {
    leave = left
  })
  const next = come(queue)
  leave()
  leave()
  queue.release(1)
  await settled()
  expect([impatient.inside, next.inside]).toEqual([false, true])
  expect(queue.isFull(1)).toBe(false)
})
