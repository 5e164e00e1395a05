/** `node scripts/demo-picture.ts NAME FILE`: makes the files of a picture of the demo, `demo/pictures/NAME`, from another file. */
import { readFile } from 'node:fs/promises'
import { writePicture } from '../demo/pictures.ts'
import { readArguments } from './cli/read-arguments.ts'

const usage = 'node scripts/demo-picture.ts NAME FILE. A name has small letters, digits and hyphens'
const {
  arguments: [name = '', file = ''],
} = readArguments(usage, { least: 2 })
if (/^[a-z0-9-]+$/.test(name)) await writePicture(name, await readFile(file))
else {
  console.error(usage)
  process.exitCode = 1
}
