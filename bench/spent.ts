/** What a shop and its database have spent, as the system counts it; NaN where the system does not tell. */
import { readFileSync } from 'node:fs'
import { databaseProcesses, type RealShop } from '../test/support/harness.ts'

/** Of a second, as Linux tells it to every program. */
const TICKS = 100

const read = (file: string): string => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** Milliseconds on any processor of a process and of those that it has outlived. */
function cpuOf(pid: number): number {
  // The name in brackets may hold anything; after it come fields 3, 4, 5 …, of which 14 to 17 are times.
  const fields = read(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ') ?? []
  return (1000 / TICKS) * fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0)
}

interface Cpu {
  shop: number
  database: number
}

/** Milliseconds of processors until now. */
export function cpuSpent(shop: RealShop): Cpu {
  const database = databaseProcesses(shop.dataDir).reduce((sum, pid) => sum + cpuOf(pid), 0)
  const own = read(`/proc/${shop.pid()}/stat`) === '' ? Number.NaN : cpuOf(shop.pid())
  return { shop: own, database }
}

/** Resident memory of the shop's process in megabytes. */
export const memoryOf = (shop: RealShop): number =>
  Number(/VmRSS:\s+(\d+)/.exec(read(`/proc/${shop.pid()}/status`))?.[1]) / 1024
