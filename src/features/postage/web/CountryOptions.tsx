import { countries, countryName } from '#addresses/countries.ts'

/** Options of a select. Browsers may know other names than the server. */
export const CountryOptions = () =>
  countries.map(code => (
    <option key={code} value={code} suppressHydrationWarning>
      {countryName(code)}
    </option>
  ))
