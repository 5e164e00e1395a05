import { parentPort, workerData } from 'node:worker_threads'
import { PDFiumLibrary } from '@hyzyla/pdfium'
import type { Task, WorkerMessage } from './pdf.ts'

// Renders the first page in a worker thread, which its parent ends. Scripts of a document never run: PDFium's form
// environment is not set up.
const { wasm, pdf, within }: Task = workerData
const library = await PDFiumLibrary.init({ wasmBinary: wasm })
const send = (message: WorkerMessage) =>
  parentPort?.postMessage(message, typeof message === 'object' ? [message.data.buffer as ArrayBuffer] : [])
const document = await library.loadDocument(pdf).catch((error: Error) => {
  if (/^Password required/.test(error.message)) send('locked')
  throw error
})
// Reading a page may take long.
if (document.getPageCount() > 0) send('opened')
const page = document.getPage(0)
const { originalWidth, originalHeight } = page.getOriginalSize()
const scale = Math.min(within.width / originalWidth, within.height / originalHeight)
const { data, width, height } = await page.render({
  width: Math.max(1, Math.round(originalWidth * scale)),
  height: Math.max(1, Math.round(originalHeight * scale)),
  render: 'bitmap',
})
send({ data, info: { width, height, channels: 4 } })
