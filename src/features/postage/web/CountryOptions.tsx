import { COUNTRIES, countryName } from '#addresses/countries.ts'

/** Options of a select. Browsers may know other names than the server. */
export const CountryOptions = () =>
  COUNTRIES.map(code => (
    <option key={code} value={code} suppressHydrationWarning>
      {countryName(code)}
    </option>
  ))
