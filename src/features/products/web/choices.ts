import type { Ask } from '#ui/api-client.ts'

/** What a seller can choose in the listing form: their postage profiles and sections. */
export async function choicesOf(ask: Ask) {
  const [{ profiles }, { sections }] = await Promise.all([
    ask('GET /api/postage/'),
    ask('GET /api/sections/'),
  ])
  return { profiles, sections }
}

export const NO_CHOICES: Awaited<ReturnType<typeof choicesOf>> = { profiles: [], sections: [] }
