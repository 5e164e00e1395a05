/** Money: integer cents in the database and in the code, a number with at most two decimals on the wire. */

/** Integer cents of a wire amount (12.3 → 1230). The amount has at most two decimals, so rounding is exact. */
export const toCents = (amount: number): number => Math.round(amount * 100)

/** The wire amount of integer cents (1230 → 12.3). */
export const fromCents = (cents: number): number => cents / 100

/** A wire amount several times, exactly: 3 × 0.1 is 0.3. */
export const times = (amount: number, count: number): number => fromCents(toCents(amount) * count)

/** An amount with two decimals ('12.30'). */
export const twoDecimals = (amount: number): string => amount.toFixed(2)

/** An amount with currency: '$12.30'. */
export const dollars = (amount: number): string => `$${twoDecimals(amount)}`

/** Whether a typed amount could be two: '1,250' is 1250 or 1.25. It is refused instead of guessed. */
export const hasAmbiguousSeparator = (typed: string): boolean => /[.,]\d{3,}$/.test(typed.trim())

/** Whether an amount has at most two decimals. Exact, unlike a remainder (0.1 + 0.2 fails). */
export const isWholeCents = (amount: number): boolean => Number(amount.toFixed(2)) === amount
