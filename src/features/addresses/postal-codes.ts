/**
 * Postal codes as they look in a country: every digit stands for any digit, every letter for any. Spaces and hyphens
 * may be left out. From the data of the Universal Postal Union.
 */
const examples: Record<string, string[]> = {
  AT: ['1010'],
  AU: ['2000'],
  BE: ['1000'],
  BG: ['1000'],
  BR: ['01310-100'],
  CA: ['K1A 0B1'],
  CH: ['3001'],
  CN: ['100000'],
  CZ: ['110 00'],
  DE: ['10115'],
  DK: ['2100'],
  EE: ['10111'],
  ES: ['28013'],
  FI: ['00100'],
  FR: ['75001'],
  GB: ['M1 1AE', 'M60 1NW', 'CR2 6XH', 'DN55 1PT', 'W1A 1HQ', 'EC1A 1BB'],
  GR: ['104 31'],
  HR: ['10000'],
  HU: ['1051'],
  IE: ['D02 X285', 'D6W F8H2'],
  IN: ['110 001'],
  IS: ['101'],
  IT: ['00184'],
  JP: ['100-0001'],
  KR: ['03051'],
  LI: ['9490'],
  LT: ['01100', 'LT-01100'],
  LU: ['1009', 'L-1009'],
  LV: ['LV-1050', '1050'],
  MX: ['06000'],
  NL: ['1012 AB'],
  NO: ['0150'],
  NZ: ['6011'],
  PL: ['00-001'],
  PT: ['1000-001'],
  RO: ['010011'],
  SE: ['111 22'],
  SG: ['018956'],
  SI: ['1000'],
  SK: ['811 01'],
  TR: ['34110'],
  UA: ['01001'],
  US: ['20500', '20500-0001'],
  ZA: ['8001'],
}

/** The shape of a code: A1A1. Full-width digits of Japanese keyboards count as digits. */
const shapeOf = (code: string): string =>
  code
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[\s\p{Pd}−]/gu, '')
    .replace(/\d/g, '1')
    .replace(/[A-Z]/g, 'A')
/** Where letters are not any letter: Eircodes mix letters and digits at the end. */
const EIRCODE = /^[A-Z]\d[\dW] ?[A-Z\d]{4}$/i

/** A postal code as they usually are in this country; undefined where no form is known. */
export const postalExample = (country: string): string | undefined => examples[country]?.[0]

/** A sentence about a postal code of an unusual form; undefined where nothing is to be said. It forbids nothing. */
export function postalHint(country: string, code: string): string | undefined {
  const usual = examples[country]
  const typed = code.trim()
  if (!usual || usual.some(example => shapeOf(example) === shapeOf(typed))) return undefined
  if (country === 'IE' && EIRCODE.test(typed)) return undefined
  return typed === ''
    ? `Parcels to this country usually need a postal code, such as ${usual[0]}`
    : `Please check the postal code: there they usually look like ${usual[0]}`
}
