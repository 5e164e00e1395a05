import sharp, { type Sharp } from 'sharp'
import { limitConcurrency } from '#platform/http/concurrency-limit.ts'
import { WRONG_TYPE } from './contract.ts'
import './decoders.ts'
import { type DocumentUploader, readDocument } from './documents.ts'
import type { Pixels } from './pdf.ts'
import { RefusedImage } from './refused-image.ts'
import {
  announcedPixels,
  countFrames,
  countScans,
  countWebpFrames,
  detectFormat,
  essentials,
  type Format,
} from './sniff.ts'

/** The renditions of an upload. The original is not stored, except a document. */
export interface Renditions {
  kind: 'picture' | 'animation' | 'document'
  /** Of the largest rendition, pixels; null for a document that could not be rendered. */
  width: number | null
  height: number | null
  /** The mean colour, '#c9b8a2'; null as above. */
  colour: string | null
  /** The renditions' widths in pixels, ascending; each is the file `<width>.webp`. Empty as above. */
  widths: number[]
  files: { name: string; bytes: Buffer; type: string }[]
}

const STEPS = [320, 640, 960, 1400]
/** Pixels. Height is bounded too: webp ends at 16,383. */
const LARGEST = { width: 1400, height: 2800 }
/** Of a picture, or of all its frames. Phones with 50 megapixels exceed 50 million slightly. */
const MAX_PIXELS = 50 * 2 ** 20
const MAX_FRAMES = 500
/** Encoders write about ten. */
const MAX_SCANS = 100
const MILLISECONDS = 10_000
/** Effort 2 of 6 takes about two thirds of the time of the default 4, for files about 4 % larger. */
const WEBP = { quality: 78, effort: 2 }
/** Cards show many pictures: up to this width, each is limited to so many bytes. */
const CARD = { width: 640, bytes: 40_000 }
/** Fine textures need the second or third. Animations use only the first. */
const QUALITIES = [WEBP.quality, 60, 42, 24, 6]

/** Each waiting upload is in memory. */
const limited = limitConcurrency({
  name: 'pictures',
  maxRunning: 2,
  maxWaiting: 16,
  busy: 'Too many photos are being uploaded right now; please try again in a moment',
})

const BROKEN = 'This picture is damaged or incomplete; please choose another one'
const BROKEN_PDF = 'This document is damaged or incomplete; please choose another one'
const TOO_LARGE = 'This picture has more than 50 megapixels; please choose a smaller one'
const TOO_LONG = 'This animation is too long; please choose one with fewer or smaller frames'
const TOO_SLOW = 'This picture is too costly to process; please save it in a simpler form'

interface Size {
  width: number
  height: number
}

type Run = (pipeline: Sharp) => Promise<{ data: Buffer; info: Pixels['info'] }>
type RenditionFiles = Omit<Renditions, 'kind'>

/**
 * Makes every rendition of an upload: upright, without metadata, encoded anew. Two run at a time, each for at most
 * 10 s. Throws RefusedImage for an unacceptable file, and Problem 503 when too many wait.
 * @param uploader of a document; without one, documents are refused
 */
export async function makeRenditions(bytes: Buffer, uploader?: DocumentUploader): Promise<Renditions> {
  if (bytes.length === 0) throw new RefusedImage('The file is empty; please choose another one')
  const format = detectFormat(bytes)
  if (format === 'pdf' && uploader) return document(bytes, uploader)
  if (!format || format === 'pdf') throw new RefusedImage(WRONG_TYPE)
  if (format === 'jpeg' && countScans(bytes) > MAX_SCANS) throw new RefusedImage(TOO_SLOW)
  if (format === 'gif') {
    const { frames, cut } = countFrames(bytes, MAX_FRAMES)
    if (cut) throw new RefusedImage(BROKEN)
    if (frames > MAX_FRAMES) throw new RefusedImage(TOO_LONG)
  }
  if (format === 'webp' && countWebpFrames(bytes, MAX_FRAMES) > MAX_FRAMES) throw new RefusedImage(TOO_LONG)
  const input = format === 'png' ? essentials(bytes) : bytes
  const { frames, ...size } = await measure(input, format)
  return limited(() => (frames > 1 ? animation(input, size) : picture(input, size)))
}

/** Refuses an upload by its first kilobytes, before the rest has arrived. @throws RefusedImage */
export function refuseByHeader(beginning: Buffer): void {
  const format = detectFormat(beginning)
  if (format === 'png' && announcedPixels(beginning) > MAX_PIXELS) throw new RefusedImage(TOO_LARGE)
  if (format === 'gif' && countFrames(beginning, MAX_FRAMES).frames > MAX_FRAMES)
    throw new RefusedImage(TOO_LONG)
  if (format === 'webp' && countWebpFrames(beginning, MAX_FRAMES) > MAX_FRAMES)
    throw new RefusedImage(TOO_LONG)
}

/** Reads only the header, and checks sizes before any pixel is decoded. */
async function measure(input: Buffer, format: Format): Promise<Size & { frames: number }> {
  const header = sharp(input, { failOn: 'error', limitInputPixels: false }).metadata()
  const {
    autoOrient,
    width,
    height,
    pages = 1,
    format: read,
  } = await header.catch(cause => {
    throw new RefusedImage(BROKEN, { cause })
  })
  if (read !== (format === 'avif' ? 'heif' : format)) throw new RefusedImage(BROKEN)
  // An avif may hold several pictures; the first is shown.
  const frames = format === 'avif' ? 1 : pages
  if (autoOrient.width * autoOrient.height * frames > MAX_PIXELS)
    throw new RefusedImage(frames > 1 ? TOO_LONG : TOO_LARGE)
  if (frames > MAX_FRAMES) throw new RefusedImage(TOO_LONG)
  // Animations are not turned: it would need all frames in memory.
  return { ...(frames > 1 ? { width, height } : autoOrient), frames }
}

async function picture(input: Buffer, original: Size): Promise<Renditions> {
  const run = timed()
  const largest = sizes(original).at(-1)!
  const pixels = await run(
    decoder(input)
      .autoOrient()
      .resize({ ...largest, fit: 'fill' })
      .raw(),
  )
  return { kind: 'picture', ...(await renditions(pixels, run)) }
}

/** Decodes each width anew, frame by frame: all frames at once would not fit in memory. */
async function animation(input: Buffer, original: Size): Promise<Renditions> {
  const run = timed()
  return {
    kind: 'animation',
    ...(await encode(sizes(original), run, () => decoder(input, true), [WEBP.quality])),
  }
}

async function document(bytes: Buffer, uploader: DocumentUploader): Promise<Renditions> {
  if (!bytes.subarray(-2048).includes('%%EOF')) throw new RefusedImage(BROKEN_PDF)
  const page = await readDocument(bytes, LARGEST, uploader)
  if (page === 'not opened') throw new RefusedImage(BROKEN_PDF)
  // A document that cannot be rendered (a locked one, say) may be valid, but not if something else, such as a web page,
  // precedes its signature.
  if (page === 'not drawn' && bytes.indexOf('%PDF-') !== 0) throw new RefusedImage(BROKEN_PDF)
  const drawn =
    page === 'not drawn'
      ? { width: null, height: null, colour: null, widths: [], files: [] }
      : await limited(() => renditions(page, timed()))
  const original = { name: 'document.pdf', bytes, type: 'application/pdf' }
  return { ...drawn, kind: 'document', files: [...drawn.files, original] }
}

/** All widths from the pixels of the largest, so that the original is decoded once. */
function renditions({ data, info }: Pixels, run: Run): Promise<RenditionFiles> {
  return encode(sizes(info), run, () => sharp(data, { raw: info }), QUALITIES)
}

/** @param qualities for the card widths, tried in turn until the file is small enough */
async function encode(
  sizes: Size[],
  run: Run,
  source: () => Sharp,
  qualities: number[],
): Promise<RenditionFiles> {
  const files: RenditionFiles['files'] = []
  for (const size of sizes) {
    let bytes: Buffer | undefined
    for (const quality of size.width > CARD.width ? [WEBP.quality] : qualities) {
      if (bytes && bytes.length <= CARD.bytes) break
      const scaled = source().resize({ ...size, fit: 'fill' })
      bytes = (await run(scaled.webp({ ...WEBP, quality }))).data
    }
    files.push({ name: `${size.width}.webp`, bytes: bytes!, type: 'image/webp' })
  }
  const mean = await run(
    source().resize({ width: 1, height: 1, fit: 'fill' }).flatten().toColourspace('srgb').raw(),
  )
  const colour = `#${mean.data.subarray(0, 3).toString('hex')}`
  return { ...sizes.at(-1)!, colour, widths: sizes.map(size => size.width), files }
}

/** Sizes of the renditions, ascending; none larger than the original. */
function sizes({ width, height }: Size): Size[] {
  const scale = Math.min(1, LARGEST.width / width, LARGEST.height / height)
  const largest = Math.max(1, Math.round(width * scale))
  return [...STEPS.filter(step => step < largest), largest].map(step => ({
    width: step,
    height: Math.max(1, Math.min(LARGEST.height, Math.round((height * step) / width))),
  }))
}

function decoder(input: Buffer, animated = false): Sharp {
  return sharp(input, { failOn: 'error', limitInputPixels: MAX_PIXELS, sequentialRead: true, animated })
}

/** Runs pipelines one by one within a common time limit. */
function timed(): Run {
  const end = performance.now() + MILLISECONDS
  return async pipeline => {
    const left = Math.ceil((end - performance.now()) / 1000)
    if (left <= 0) throw new RefusedImage(TOO_SLOW)
    try {
      return await pipeline.timeout({ seconds: left }).toBuffer({ resolveWithObject: true })
    } catch (cause) {
      throw new RefusedImage(performance.now() < end ? BROKEN : TOO_SLOW, { cause })
    }
  }
}
