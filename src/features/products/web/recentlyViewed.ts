const KEY = 'recently-viewed'
/** Number of remembered listings. */
const MAX_SHOWN = 4

/** Ids of the listings that this browser viewed, latest first. They are stored here alone. */
export function remembered(): number[] {
  try {
    const ids: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(ids) ? ids.filter(Number.isSafeInteger).slice(0, MAX_SHOWN + 1) : []
  } catch {
    // Storage is off, full, or has other contents.
    return []
  }
}

/** Moves a listing to the front. */
export const remember = (id: number): void => store([id, ...without(id)])
/** Removes a deleted listing. */
export const forget = (id: number): void => store(without(id))

const without = (id: number) => remembered().filter(each => each !== id)

function store(ids: number[]): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(ids.slice(0, MAX_SHOWN + 1)))
  } catch {
    // Storage is off or full.
  }
}
