/** CPU time and memory of a shop and its database; NaN if unknown. */
import { readFileSync } from 'node:fs'
import { databaseProcesses, type RealShop } from '../test/support/harness.ts'

/** Clock ticks per second on Linux. */
const TICKS = 100

const read = (file: string): string => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** CPU time of a process and its ended children, ms. */
function cpuOf(pid: number): number {
  // The name in brackets may contain anything; fields 3, 4, 5 … follow, of which 14 to 17 are times.
  const fields = read(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ') ?? []
  return (1000 / TICKS) * fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0)
}

interface Cpu {
  shop: number
  database: number
}

/** CPU time so far, ms. */
export function cpuTime(shop: RealShop): Cpu {
  const database = databaseProcesses(shop.dataDir).reduce((sum, pid) => sum + cpuOf(pid), 0)
  const own = read(`/proc/${shop.pid()}/stat`) === '' ? Number.NaN : cpuOf(shop.pid())
  return { shop: own, database }
}

/** Resident memory of the shop's process, MB. */
export const memoryOf = (shop: RealShop): number => statusOf(shop, 'VmRSS')
/** The largest that it has had, MB. */
export const peakMemoryOf = (shop: RealShop): number => statusOf(shop, 'VmHWM')

/** A line of the process's status, MB. */
const statusOf = (shop: RealShop, name: string): number =>
  Number(new RegExp(`${name}:\\s+(\\d+)`).exec(read(`/proc/${shop.pid()}/status`))?.[1]) / 1024
