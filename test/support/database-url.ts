import type { TestShop } from './shop.ts'

/** Address of a shop's database. */
export function databaseUrlOf(shop: TestShop): string {
  const { host, port, user, password } = shop.connection as Record<string, string | number | undefined>
  const url = new URL(`postgres://localhost/${shop.database}`)
  url.username = String(user ?? '')
  url.password = String(password ?? '')
  if (port) url.port = String(port)
  if (host) url.searchParams.set('host', String(host))
  return url.href
}
