/** What comes one by one, so many at a time. */
export async function* chunks<T>(all: AsyncIterable<T>, size: number): AsyncIterable<T[]> {
  let part: T[] = []
  for await (const one of all) {
    part.push(one)
    if (part.length < size) continue
    yield part
    part = []
  }
  if (part.length > 0) yield part
}
