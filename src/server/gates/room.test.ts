import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Room } from './room.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const stays = () => {}
const open = (atOnce = 2) =>
  new Room({ atOnce, waiting: { cheap: 3, costly: 6 }, patience: 4_000, haste: 400 })

/** Somebody who comes; `inside` is true once they are let in, and false once they are turned away. */
function come(room: Room, cost = 1, gone: (left: () => void) => void = stays) {
  const person: { inside: boolean | undefined } = { inside: undefined }
  void Promise.resolve(room.enter(cost, gone)).then(inside => {
    person.inside = inside
  })
  return person
}
const settled = () => vi.advanceTimersByTimeAsync(0)

test('so many are inside, so many wait in the order of coming, and the next is turned away', async () => {
  const room = open()
  const people = Array.from({ length: 6 }, () => come(room))
  await settled()
  expect(people.map(({ inside }) => inside)).toEqual([true, true, undefined, undefined, undefined, false])
  room.leave(1)
  await settled()
  expect(people.map(({ inside }) => inside)).toEqual([true, true, true, undefined, undefined, false])
})

test('what costs little goes first, and what costs more is not forgotten', async () => {
  const room = open(1)
  come(room)
  const costly = come(room, 3)
  const order: string[] = []
  for (let n = 0; n < 6; n++) {
    const cheap = come(room)
    await settled()
    room.leave(1)
    await settled()
    order.push(cheap.inside ? 'cheap' : 'costly')
    if (costly.inside) break
  }
  expect(order).toEqual(['cheap', 'cheap', 'cheap', 'costly'])
})

test('a full line of costly requests turns no cheap one away', async () => {
  const room = open(1)
  for (let n = 0; n < 3; n++) come(room, 3)
  expect([room.isFull(3), room.isFull(1)]).toEqual([true, false])
})

test('a burst waits for seconds, and nobody for longer', async () => {
  const room = open(1)
  come(room)
  const early = come(room)
  await vi.advanceTimersByTimeAsync(3_900)
  expect(early.inside).toBe(undefined)
  room.leave(1)
  await settled()
  expect(early.inside).toBe(true)
  const late = come(room)
  await vi.advanceTimersByTimeAsync(4_000)
  expect(late.inside).toBe(false)
})

test('in a flood nobody who is let in has waited long', async () => {
  const room = open(1)
  come(room)
  const waiting = [come(room), come(room)]
  await vi.advanceTimersByTimeAsync(500)
  const third = come(room)
  expect(await room.enter(1, stays)).toBe(false)
  room.leave(1)
  await settled()
  expect([...waiting, third].map(({ inside }) => inside)).toEqual([false, false, true])
})

test('in a flood nobody joins a line whose first has waited long; after it everybody may', async () => {
  const room = open(1)
  come(room)
  come(room)
  await vi.advanceTimersByTimeAsync(250)
  expect(room.isFull(1)).toBe(false)
  room.turnAway()
  expect([room.isFull(1), room.isFull(2)]).toEqual([true, false])
  const refused = come(room)
  await settled()
  expect(refused.inside).toBe(false)
  await vi.advanceTimersByTimeAsync(260)
  expect(room.isFull(1)).toBe(false)
})

test('in a flood that keeps the process behind fewer are inside, and after it all places are there again', async () => {
  const room = open(10)
  room.turnAway()
  for (let n = 0; n < 10; n++) room.pace(true)
  const people = Array.from({ length: 6 }, () => come(room))
  await settled()
  expect(people.map(({ inside }) => inside)).toEqual([true, true, true, true, undefined, undefined])
  room.pace(false)
  await settled()
  expect(people.map(({ inside }) => inside)).toEqual(Array(6).fill(true))
  for (let n = 0; n < 10; n++) room.pace(true)
  expect(room.hasPlace).toBe(false)
  await vi.advanceTimersByTimeAsync(300)
  expect(room.hasPlace).toBe(true)
})

test('who leaves the line gives the place to others', async () => {
  const room = open(1)
  come(room)
  let leave = () => {}
  const impatient = come(room, 1, left => {
    leave = left
  })
  const next = come(room)
  leave()
  leave()
  room.leave(1)
  await settled()
  expect([impatient.inside, next.inside]).toEqual([false, true])
  expect(room.isFull(1)).toBe(false)
})
