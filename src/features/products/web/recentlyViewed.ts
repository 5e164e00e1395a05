const KEY = 'recently-viewed'
/** How many pieces are remembered. */
const MOST = 4

/** Ids of the pieces this browser looked at, the latest first. It tells nobody. */
export function remembered(): number[] {
  try {
    const ids: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(ids) ? ids.filter(Number.isSafeInteger).slice(0, MOST + 1) : []
  } catch {
    // Switched off, full, or written by somebody else.
    return []
  }
}

/** Puts a piece in front. */
export const remember = (id: number): void => keep([id, ...without(id)])
/** For a piece that is no longer there. */
export const forget = (id: number): void => keep(without(id))

const without = (id: number) => remembered().filter(each => each !== id)

function keep(ids: number[]): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(ids.slice(0, MOST + 1)))
  } catch {
    // A browser that keeps nothing.
  }
}
