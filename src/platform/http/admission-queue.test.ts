import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { AdmissionQueue } from './admission-queue.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const staysOpen = () => {}
const open = (maxRunning = 2, standingDelay = Number.POSITIVE_INFINITY) =>
  new AdmissionQueue({
    maxRunning,
    waiting: { cheap: 3, costly: 6 },
    maxWait: 4_000,
    targetDelay: 400,
    standingDelay,
  })

/** A request; `admitted` is undefined while it waits, and false once refused. */
function arrive(queue: AdmissionQueue, cost = 1, onClose: (cancel: () => void) => void = staysOpen) {
  const request: { admitted: boolean | undefined } = { admitted: undefined }
  void Promise.resolve(queue.acquire(cost, onClose)).then(admitted => {
    request.admitted = admitted
  })
  return request
}
const settled = () => vi.advanceTimersByTimeAsync(0)

test('up to its limits requests run or queue in order, the next is refused', async () => {
  const queue = open()
  const requests = Array.from({ length: 6 }, () => arrive(queue))
  await settled()
  expect(requests.map(({ admitted }) => admitted)).toEqual([
    true,
    true,
    undefined,
    undefined,
    undefined,
    false,
  ])
  queue.release(1)
  await settled()
  expect(requests.map(({ admitted }) => admitted)).toEqual([true, true, true, undefined, undefined, false])
})

test('cheap requests go first, expensive ones do not starve', async () => {
  const queue = open(1)
  arrive(queue)
  const costly = arrive(queue, 3)
  const order: string[] = []
  for (let n = 0; n < 6; n++) {
    const cheap = arrive(queue)
    await settled()
    queue.release(1)
    await settled()
    order.push(cheap.admitted ? 'cheap' : 'costly')
    if (costly.admitted) break
  }
  expect(order).toEqual(['cheap', 'cheap', 'cheap', 'costly'])
})

test('a queue full of expensive requests refuses no cheap one', async () => {
  const queue = open(1)
  for (let n = 0; n < 3; n++) arrive(queue, 3)
  expect([queue.isFull(3), queue.isFull(1)]).toEqual([true, false])
})

test('a cheap request is refused while the first in its line has waited for the standing delay', async () => {
  const queue = open(1, 600)
  for (let n = 0; n < 2; n++) arrive(queue)
  const costly = arrive(queue, 3)
  await vi.advanceTimersByTimeAsync(600)
  expect(queue.isFull(1)).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  expect([queue.isFull(1), queue.isFull(3)]).toEqual([true, false])
  // That is a flood, for both lines: those that have waited for too long are refused.
  const [refused, waiting] = [arrive(queue), queue.load.waiting]
  await settled()
  expect([refused.admitted, waiting]).toEqual([false, 4])
  queue.release(1)
  await settled()
  expect(costly.admitted).toBe(false)
  expect(queue.load.waiting).toBe(0)
  expect(queue.hasCapacity).toBe(true)
})

test('a burst waits for a limited time', async () => {
  const queue = open(1)
  arrive(queue)
  const early = arrive(queue)
  await vi.advanceTimersByTimeAsync(3_900)
  expect(early.admitted).toBe(undefined)
  queue.release(1)
  await settled()
  expect(early.admitted).toBe(true)
  const late = arrive(queue)
  await vi.advanceTimersByTimeAsync(4_000)
  expect(late.admitted).toBe(false)
})

test('under overload admitted requests have waited briefly', async () => {
  const queue = open(1)
  arrive(queue)
  const waiting = [arrive(queue), arrive(queue)]
  await vi.advanceTimersByTimeAsync(500)
  const third = arrive(queue)
  expect(await queue.acquire(1, staysOpen)).toBe(false)
  queue.release(1)
  await settled()
  expect([...waiting, third].map(({ admitted }) => admitted)).toEqual([false, false, true])
  expect(queue.load.refused).toBe(3)
})

test('under overload a stale queue refuses new requests; afterwards it admits them', async () => {
  const queue = open(1)
  arrive(queue)
  arrive(queue)
  await vi.advanceTimersByTimeAsync(250)
  expect(queue.isFull(1)).toBe(false)
  queue.countRefusal()
  expect([queue.isFull(1), queue.isFull(2)]).toEqual([true, false])
  const refused = arrive(queue)
  await settled()
  expect(refused.admitted).toBe(false)
  await vi.advanceTimersByTimeAsync(260)
  expect(queue.isFull(1)).toBe(false)
})

test('an aborted request frees its place in the queue', async () => {
  const queue = open(1)
  arrive(queue)
  let abort = () => {}
  const aborted = arrive(queue, 1, cancel => {
    abort = cancel
  })
  const next = arrive(queue)
  abort()
  abort()
  queue.release(1)
  await settled()
  expect([aborted.admitted, next.admitted]).toEqual([false, true])
  expect(queue.isFull(1)).toBe(false)
  // Its client has left: that is no refusal.
  expect(queue.load.refused).toBe(0)
})
