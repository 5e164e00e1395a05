import { useLoaderData } from 'react-router'
import type { loader } from './account.route.ts'
import { Deletion } from './Deletion.tsx'
import { Names } from './Names.tsx'

/** The account, or its deletion. */
export function Page() {
  const page = useLoaderData<typeof loader>()
  return 'preview' in page ? <Deletion {...page} /> : <Names {...page} />
}
