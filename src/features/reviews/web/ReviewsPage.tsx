export function Page() {
  return <h1>Reviews</h1>
}
