/**
 * How addresses are written in each country: the order of the fields, and what people there call them. The source is the data of
 * Google's libaddressinput, which follows the Universal Postal Union.
 */

/** The fields of an address without its country. */
type Field = 'name' | 'line1' | 'line2' | 'city' | 'region' | 'postal_code'
/** The texts of an address. */
export type AddressTexts = Record<Field | 'country', string>

/**
 * Rows, separated by `/`: N name, A both lines of the street, C city, S region, Z postal code. Everything else stands between two
 * fields, or in front of a row.
 */
type Rows = string

/** Countries whose addresses have these rows below the name and the street. */
const rows: Record<Rows, string> = {
  'Z C':
    'AD AT BA BE BG BY CH CZ DE DK DZ EE FI FO FR GE GF GL GP GR GT HR IS KW LA LI LT LU MA MC ME MG MK MQ MT NC NL NO PF PL ' +
    'PM PT PY RE RO RS SE SI SJ SK SM SN TN VA WF XK YT ZM',
  'Z C/S': 'AR CL CR DO EC ES IT MY MZ NI TR UY',
  'Z C, S': 'MX',
  'C, S Z': 'US AS GU MH MP PR PW VI KR TW JP TH PH',
  'C S Z': 'AU CA',
  'C-S/Z': 'BR',
  'C, S/Z': 'CN CO',
  'C Z/S': 'IN PE PK NG VE',
  'C/S Z': 'ID VN',
  'C/S/Z': 'EG GB IE RU UA KZ IR',
  'C/Z': 'CY FK GG GI IM JE KE LK NF SH ZA HU',
  'C, Z': 'LV',
  'C Z': 'BD BH BN BT IL JO KH LB MV NP NZ SA SG',
  'C/S': 'AE BS HK JM KY MO SR',
  // No postal codes.
  C:
    'AG AO AW BF BI BJ BO BW BZ CD CF CG CI CK CM DJ DM ER FJ GD GM GQ GY KI KM KP ML MR MW NR QA RW SB SC SL ST SY TD TG TK ' +
    'TO TV UG VU YE ZW',
}
const rowsOf = new Map(
  Object.entries(rows).flatMap(([rows, countries]) => countries.split(' ').map(country => [country, rows])),
)
/** Of all other countries. */
const ANYWHERE: Rows = 'C, S Z'

/** East Asian addresses in the script of their country: from large to small. */
const local: Record<string, Rows> = {
  JP: '〒Z/S C/A/N',
  KR: 'S C/A/N/Z',
  CN: 'Z/S C/A/N',
  TW: 'Z/S C/A/N',
  HK: 'S/C/A/N',
  MO: 'S/C/A/N',
}
const LOCAL_SCRIPT = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u

const FIELDS: Record<string, Field[]> = {
  N: ['name'],
  A: ['line1', 'line2'],
  C: ['city'],
  S: ['region'],
  Z: ['postal_code'],
}

/** The lines of an address in the order of its country, which is the last one; without empty ones. */
export function linesOf(address: AddressTexts, country: string): string[] {
  const { line1, city } = address
  const own = local[address.country]
  const below = rowsOf.get(address.country) ?? ANYWHERE
  const format = own && LOCAL_SCRIPT.test(line1 + city) ? own : `N/A/${below}`
  const shown = format
    .split('/')
    .flatMap(row => (row === 'A' ? [address.line1, address.line2] : rowOf(row, address)))
  // What an address has and its country does not use.
  const others = (['region', 'postal_code'] as const)
    .filter(field => !has(format, field))
    .map(field => address[field])
  return [...shown, ...others, country].filter(Boolean)
}

/** One row: fields that are empty are left out, with what stands in front of them. */
function rowOf(row: string, address: AddressTexts): string {
  let [text, between] = ['', '']
  for (const part of row.match(/[NCSZ]|[^NCSZ]+/g) ?? []) {
    const [field] = FIELDS[part] ?? []
    if (!field) between = part
    else if (address[field]) text += (text === '' && row.indexOf(between) > 0 ? '' : between) + address[field]
  }
  return text
}

const has = (format: Rows, field: Field) => [...format].some(part => FIELDS[part]?.includes(field))

/** The fields of a form in the order of a country. What it does not use comes last, and only if something is typed there. */
export function fieldsOf(country: string, typed: Partial<AddressTexts>): Field[] {
  const format = local[country] ?? `N/A/${rowsOf.get(country) ?? ANYWHERE}`
  const fields = [...format].flatMap(part => FIELDS[part] ?? []).filter(field => field !== 'name')
  const others = (['region', 'postal_code'] as const).filter(field => typed[field] && !fields.includes(field))
  return ['name', ...fields, ...others]
}

/** Label → countries that say so. */
type Labels = Record<string, string>
const regions: Labels = {
  State: 'AU BR IN MX MY NG US VE AS GU MH MP PR PW VI',
  County: 'GB IE',
  Prefecture: 'JP',
  Emirate: 'AE',
  Area: 'HK',
  Province: 'AR CA CN CR DO EC ES ID IR IT MZ PH TH TR VN',
  'Province or city': 'KR',
  'County or city': 'TW',
  Department: 'CO NI UY',
  Governorate: 'EG',
  Island: 'BS KY',
  Parish: 'JM',
}
const postalCodes: Labels = {
  'ZIP code': 'US AS GU MH MP PH PR PW VI',
  Postcode: 'AU GB GG GI IM JE NZ FK MY',
  Eircode: 'IE',
  'PIN code': 'IN',
}
const cities: Labels = {
  City: 'US CA BR MX CN KR TW',
  Suburb: 'AU',
  'City, town or village': 'JP',
  District: 'HK',
}
const find = (labels: Labels, country: string) =>
  Object.keys(labels).find(label => labels[label]?.split(' ').includes(country))

/** What a field is called in a country. */
export function labelOf(field: Field, country: string): string {
  switch (field) {
    case 'name':
      return 'Full name'
    case 'line1':
      return 'Street address'
    case 'line2':
      return 'Flat, building or floor (optional)'
    case 'city':
      return find(cities, country) ?? 'Town or city'
    case 'region':
      return find(regions, country) ?? (rowsOf.has(country) ? 'Region' : 'State or region (optional)')
    case 'postal_code':
      return (
        find(postalCodes, country) ?? (rowsOf.has(country) ? 'Postal code' : 'Postal code (if there is one)')
      )
  }
}
