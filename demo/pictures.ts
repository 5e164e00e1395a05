import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp, { type Region } from 'sharp'
import { makeRenditions, type Renditions } from '#images/renditions.ts'

// The pictures are stored as the shop serves them, so that the first start does not have to encode them.

const folderOf = (name: string) => join(import.meta.dirname, 'pictures', name)

/** The renditions of a picture of the demo. @param name its folder in `pictures` */
export async function readPicture(name: string): Promise<Renditions> {
  const folder = folderOf(name)
  const widths = (await readdir(folder)).map(file => Number.parseInt(file, 10)).sort((a, b) => a - b)
  const reading = widths.map(async width => {
    const name = `${width}.webp`
    return { name, bytes: await readFile(join(folder, name)), type: 'image/webp' }
  })
  const files = await Promise.all(reading)
  const { width, height } = await sharp(files.at(-1)!.bytes).metadata()
  const mean = await sharp(files[0]!.bytes).resize({ width: 1, height: 1, fit: 'fill' }).raw().toBuffer()
  return { kind: 'picture', width, height, colour: `#${mean.toString('hex')}`, widths, files }
}

/** Replaces a picture of the demo. @param bytes of a picture that can be uploaded */
export async function writePicture(name: string, bytes: Buffer): Promise<void> {
  const { files } = await makeRenditions(bytes)
  const folder = folderOf(name)
  // Half a picture would look like a whole one.
  const part = `${folder}.part`
  await rm(part, { recursive: true, force: true })
  await mkdir(part)
  for (const { name, bytes } of files) await writeFile(join(part, name), bytes)
  await rm(folder, { recursive: true, force: true })
  await rename(part, folder)
}

/** A part of a picture of the demo. @param part in shares of the width @returns a jpeg, at most 800 pixels wide */
export async function cropPicture(name: string, part: Region): Promise<Buffer> {
  const { files, width } = await readPicture(name)
  const pixels = (share: number) => Math.round(share * (width ?? 0))
  const { left, top, width: wide, height: high } = part
  return sharp(files.at(-1)!.bytes)
    .extract({ left: pixels(left), top: pixels(top), width: pixels(wide), height: pixels(high) })
    .resize({ width: 800, withoutEnlargement: true })
    .jpeg({ quality: 92 })
    .toBuffer()
}
