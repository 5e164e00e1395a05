import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { type Files, localFiles } from '../../src/platform/storage/files.ts'
import { openStorage } from '../../src/platform/storage/storage.ts'
import { KEYS, openStore, type RealStore } from './s3-server.ts'

/** The kinds of storage for the tests of a file, each empty when it is opened, with the server of the object store. */
export function openStorages() {
  let directory = ''
  let store: RealStore
  let shops = 0
  beforeAll(async () => {
    Object.assign(process.env, KEYS)
    store = await openStore()
  })
  afterAll(() => store.close())
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'files-'))
  })
  afterEach(() => rm(directory, { recursive: true }))
  const openObjectStore = async () =>
    (await openStorage(readConfig({ STORAGE_URL: store.url }), () => {}))(`shop-${++shops}`)
  const kinds: Record<string, () => Promise<Files>> = {
    'a directory': async () => localFiles(join(directory, 'uploads')),
    'an object store': openObjectStore,
  }
  return {
    kinds,
    openObjectStore,
    /** Folder on the disk of the object store that was opened last. */
    objectFolder: () => join(store.directory, 'pictures/shop', `shop-${shops}`),
  }
}
