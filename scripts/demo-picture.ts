import { readFile } from 'node:fs/promises'
import { writePicture } from '../demo/pictures.ts'

// node scripts/demo-picture.ts NAME FILE: makes the renditions of a picture of the demo shop.
const [name = '', file = ''] = process.argv.slice(2)
await writePicture(name, await readFile(file))
