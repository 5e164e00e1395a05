/** The budget of docs/performance.md, on 2 cores and one process. */

/** Limits of one scenario. Minimum: `ratio` to its baseline, `perSecond`. Maximum: `p99`, ms. */
export interface Budget {
  ratio?: number
  perSecond?: number
  p99?: number
  /** Number of listings at which it is measured; undefined: the first size. */
  listings?: number
}

/** Maximum of every other figure. */
const MAXIMA = {
  memory: 220,
  /** Growth of any median from the first size to the last. */
  growth: 2,
  /** The median of the Sold page with many orders, by that with few. */
  'many orders': 2,
  'first start': 6,
  'second start': 1.2,
  /** Of 5,000 rows, without photos. */
  import: 60,
  /** By gzip. */
  'landing scripts': 115,
  /** Largest contentful paint of the landing page, by Lighthouse's mobile preset. */
  'landing LCP': 1_200,
}
const UNITS = {
  memory: 'MB',
  growth: 'times',
  'many orders': 'times',
  'first start': 's',
  'second start': 's',
  import: 's',
  'landing scripts': 'kB',
  'landing LCP': 'ms',
}

const rows: string[] = []

const figure = (value: number) =>
  value.toLocaleString('en-US', { maximumFractionDigits: value < 200 ? 2 : 0 })

/** Records the measurement of a scenario. */
export function recordScenario(
  name: string,
  { perSecond, ratio, p99 }: Budget,
  measured: Record<'perSecond' | 'ratio' | 'p99', number>,
): void {
  if (perSecond !== undefined) addMinimum(name, '/s', measured.perSecond, perSecond)
  if (ratio !== undefined) addMinimum(name, 'of its baseline', measured.ratio, ratio)
  if (p99 !== undefined) addMaximum(`${name}, p99`, 'ms', measured.p99, p99)
}

/** Records another figure. @param of its subject, if there are several */
export function record(name: keyof typeof MAXIMA, measured: number, of = ''): void {
  addMaximum(`${name}${of && `, ${of}`}`, UNITS[name], measured, MAXIMA[name])
}

function addMinimum(line: string, unit: string, measured: number, min: number): void {
  rows.push(row(line, `${figure(measured)} ${unit}`, `at least ${figure(min)}`, measured >= min))
}

function addMaximum(line: string, unit: string, measured: number, max: number): void {
  rows.push(row(line, `${figure(measured)} ${unit}`, `at most ${figure(max)}`, measured <= max))
}

const row = (...[line, measured, limit, holds]: [string, string, string, boolean]) =>
  `| ${line} | ${measured} | ${limit} | ${holds ? 'holds' : '**missed**'} |`

/** The table of everything measured, with limits. */
export const budgetTable = (): string =>
  ['| budget | measured | wanted | |', '|---|---|---|---|', ...rows].join('\n')
