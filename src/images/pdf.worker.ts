import { parentPort, workerData } from 'node:worker_threads'
import { PDFiumLibrary } from '@hyzyla/pdfium'
import type { Pixels, Task } from './pdf.ts'

// Runs in a thread of its own: draws the first page, answers its pixels, and is ended by its parent. A
// document's scripts never run: that would need PDFium's form environment, which is not set up.
const { wasm, pdf, within }: Task = workerData
const library = await PDFiumLibrary.init({ wasmBinary: wasm })
const page = (await library.loadDocument(pdf)).getPage(0)
const { originalWidth, originalHeight } = page.getOriginalSize()
const scale = Math.min(within.width / originalWidth, within.height / originalHeight)
const { data, width, height } = await page.render({
  width: Math.max(1, Math.round(originalWidth * scale)),
  height: Math.max(1, Math.round(originalHeight * scale)),
  render: 'bitmap',
})
const pixels: Pixels = { data, info: { width, height, channels: 4 } }
parentPort?.postMessage(pixels, [data.buffer as ArrayBuffer])
