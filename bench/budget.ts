/** The budget of docs/performance.md, on 2 cores and one process. */

/** Of one scenario. At least: `ratio` to its floor, `perSecond`. At most: `p99`, milliseconds. */
export interface Budget {
  ratio?: number
  perSecond?: number
  p99?: number
  /** At how many listings it is measured; undefined: at the first size. */
  listings?: number
}

/** Everything that is no scenario: at most so much. */
const MOST = {
  memory: 220,
  /** No median grows more than so many times from the first size to the last. */
  growth: 2,
  'first start': 6,
  'second start': 1.2,
  /** By gzip. */
  'landing scripts': 115,
}
const UNITS = {
  memory: 'MB',
  growth: 'times',
  'first start': 's',
  'second start': 's',
  'landing scripts': 'kB',
}

const rows: string[] = []

const figure = (value: number) =>
  value.toLocaleString('en-US', { maximumFractionDigits: value < 200 ? 2 : 0 })

/** Adds what was measured of a scenario. */
export function holdScenario(
  name: string,
  { perSecond, ratio, p99 }: Budget,
  is: Record<'perSecond' | 'ratio' | 'p99', number>,
): void {
  if (perSecond !== undefined) addLeast(name, '/s', is.perSecond, perSecond)
  if (ratio !== undefined) addLeast(name, 'of its floor', is.ratio, ratio)
  if (p99 !== undefined) addMost(`${name}, p99`, 'ms', is.p99, p99)
}

/** Adds a figure that is none of a scenario. @param of what it was measured of, where there are several */
export function hold(what: keyof typeof MOST, is: number, of = ''): void {
  addMost(`${what}${of && `, ${of}`}`, UNITS[what], is, MOST[what])
}

function addLeast(line: string, unit: string, is: number, least: number): void {
  rows.push(row(line, `${figure(is)} ${unit}`, `at least ${figure(least)}`, is >= least))
}

function addMost(line: string, unit: string, is: number, most: number): void {
  rows.push(row(line, `${figure(is)} ${unit}`, `at most ${figure(most)}`, is <= most))
}

const row = (...[line, is, wanted, holds]: [string, string, string, boolean]) =>
  `| ${line} | ${is} | ${wanted} | ${holds ? 'holds' : '**missed**'} |`

/** The table of everything that was measured, each line with what it has to hold. */
export const budgetTable = (): string =>
  ['| budget | measured | wanted | |', '|---|---|---|---|', ...rows].join('\n')
