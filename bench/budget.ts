/** The budget of docs/performance.md, on 2 cores and one process. */

/** Limits of one scenario. Minimum: `ratio` to its floor, `perSecond`. Maximum: `p99`, ms. */
export interface Budget {
  ratio?: number
  perSecond?: number
  p99?: number
  /** Number of listings at which it is measured; undefined: the first size. */
  listings?: number
}

/** Maximum of every other figure. */
const MOST = {
  memory: 220,
  /** Growth of any median from the first size to the last. */
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

/** Records the measurement of a scenario. */
export function holdScenario(
  name: string,
  { perSecond, ratio, p99 }: Budget,
  is: Record<'perSecond' | 'ratio' | 'p99', number>,
): void {
  if (perSecond !== undefined) addLeast(name, '/s', is.perSecond, perSecond)
  if (ratio !== undefined) addLeast(name, 'of its floor', is.ratio, ratio)
  if (p99 !== undefined) addMost(`${name}, p99`, 'ms', is.p99, p99)
}

/** Records another figure. @param of its subject, if there are several */
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

/** The table of everything measured, with limits. */
export const budgetTable = (): string =>
  ['| budget | measured | wanted | |', '|---|---|---|---|', ...rows].join('\n')
