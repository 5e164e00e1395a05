// Deferred hydration. Pages work without scripts, so these load after the pictures, at the first input, or after three
// seconds. Until then the bandwidth is for visible content.

// No pointer movement: browsers report it for a resting pointer too.
const REACHING = ['pointerdown', 'touchstart', 'keydown', 'focusin', 'input']
const PATIENCE_MS = 3_000
const DRAWING_MS = 100

const [script = '', ...imports] = document.getElementById('state')?.dataset.scripts?.split(' ') ?? []

let begun = false
function begin(): void {
  if (begun) return
  begun = true
  for (const name of REACHING) removeEventListener(name, begin)
  removeEventListener('load', painted)
  clearTimeout(patience)
  // Loads all at once, instead of following imports one by one.
  for (const href of [...imports, script])
    document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href }))
  void runInTurn()
}

/** One script after the other in dependency order, so that input is handled in between. */
async function runInTurn(): Promise<void> {
  for (const href of [...imports, script]) {
    await import(/* @vite-ignore */ href)
    await new Promise(done => setTimeout(done))
  }
}

/** The pictures have loaded, and are painted with the next frame. */
function painted(): void {
  requestAnimationFrame(() => setTimeout(begin, DRAWING_MS))
}

const patience = setTimeout(begin, PATIENCE_MS)
for (const name of REACHING) addEventListener(name, begin, { passive: true })
if (document.readyState === 'complete') painted()
else addEventListener('load', painted)
