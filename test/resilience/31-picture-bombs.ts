import { readFileSync } from 'node:fs'
import { withShop } from '../support/harness.ts'
import { endlessGif, pngOf } from '../support/sample-pictures.ts'
import { Faults, milliseconds, percentile, type Scenario } from '../support/scenario.ts'

const REFUSED_MS = 100
const GROWTH_MB = 100
const TRIES = 5

const bombs: Record<string, Buffer> = {
  'a png of 256 megapixels': pngOf(16_384, 16_384),
  'a png with a forged header of 4 gigapixels': pngOf(65_535, 65_535),
  'a gif of many frames': endlessGif(430_000),
}

/** Sum of the peak memory of these processes, MB. */
const peakOf = (pids: number[]) =>
  pids
    .map(pid => Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024)
    .reduce((sum, each) => sum + each, 0)

export const scenario: Scenario = {
  risk: 'picture bombs',
  timed: true,
  promise: '256-megapixel png, forged header, gif of many frames: 4xx within 100 ms, memory + under 100 MB',
  run: () =>
    withShop({}, async shop => {
      const faults = new Faults()
      const ana = await shop.signUp('ana')
      const { id } = await shop.list(ana)
      // A file of the same size that is refused at once: its memory is not the bomb's.
      const largest = Math.max(...Object.values(bombs).map(({ length }) => length))
      const send = async (file: Buffer) => {
        const form = new FormData()
        form.set('image', new File([new Uint8Array(file)], 'photo.png'))
        const encoded = new Response(form)
        const headers = { 'content-type': encoded.headers.get('content-type') ?? '' }
        const payload = Buffer.from(await encoded.arrayBuffer())
        // From the first byte sent to the last received.
        const began = performance.now()
        const { status, body } = await ana.send({
          method: 'POST',
          url: `/api/products/${id}/images`,
          headers,
          payload,
        })
        return { status, message: body.message as string, took: performance.now() - began }
      }
      await send(Buffer.alloc(largest))
      const before = peakOf(shop.serving())
      const figures: string[] = []
      for (const [name, bomb] of Object.entries(bombs)) {
        const times: number[] = []
        for (let n = 0; n < TRIES; n++) {
          const { status, message, took } = await send(bomb)
          faults.expect(status === 400 && /\w/.test(message), `${name}: ${status}`)
          times.push(took)
        }
        const slowest = Math.max(...times)
        faults.expect(slowest < REFUSED_MS, `${name} took ${milliseconds(slowest)}`)
        figures.push(
          `${name} 400 after ${milliseconds(percentile(50, times))}, at most ${milliseconds(slowest)}`,
        )
      }
      const growth = peakOf(shop.serving()) - before
      faults.expect(growth < GROWTH_MB, 'too much memory')
      return faults.outcome(
        `${figures.join('; ')} (median and slowest of ${TRIES}, sending included); memory + ${growth.toFixed(0)} MB`,
      )
    }),
}
