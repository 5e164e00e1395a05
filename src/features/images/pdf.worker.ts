import { parentPort, workerData } from 'node:worker_threads'
import { PDFiumLibrary } from '@hyzyla/pdfium'
import type { Task, Told } from './pdf.ts'

// Runs in a thread of its own: draws the first page, answers its pixels, and is ended by its parent. A
// document's scripts never run: that would need PDFium's form environment, which is not set up.
const { wasm, pdf, within }: Task = workerData
const library = await PDFiumLibrary.init({ wasmBinary: wasm })
const tell = (told: Told) =>
  parentPort?.postMessage(told, typeof told === 'object' ? [told.data.buffer as ArrayBuffer] : [])
const document = await library.loadDocument(pdf).catch((error: Error) => {
  if (/^Password required/.test(error.message)) tell('locked')
  throw error
})
// To read a page may take long already.
if (document.getPageCount() > 0) tell('opened')
const page = document.getPage(0)
const { originalWidth, originalHeight } = page.getOriginalSize()
const scale = Math.min(within.width / originalWidth, within.height / originalHeight)
const { data, width, height } = await page.render({
  width: Math.max(1, Math.round(originalWidth * scale)),
  height: Math.max(1, Math.round(originalHeight * scale)),
  render: 'bitmap',
})
tell({ data, info: { width, height, channels: 4 } })
