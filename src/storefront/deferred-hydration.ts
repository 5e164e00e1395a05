// Deferred hydration. Pages work without scripts, so these load after the pictures, at the first input, or after three
// seconds. Until then the bandwidth is for visible content.

// No pointer movement: browsers report it for a resting pointer too.
const INPUT_EVENTS = ['pointerdown', 'touchstart', 'keydown', 'focusin', 'input']
const MAX_WAIT_MS = 3_000
const PAINT_MS = 100

const [script = '', ...imports] = document.getElementById('state')?.dataset.scripts?.split(' ') ?? []

let started = false
function start(): void {
  if (started) return
  started = true
  for (const name of INPUT_EVENTS) removeEventListener(name, start)
  removeEventListener('load', painted)
  clearTimeout(timer)
  // Loads all at once, instead of following imports one by one.
  for (const href of [...imports, script])
    document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href }))
  void runScripts()
}

/** One script after the other in dependency order, so that input is handled in between. */
async function runScripts(): Promise<void> {
  for (const href of [...imports, script]) {
    await import(/* @vite-ignore */ href)
    await new Promise(done => setTimeout(done))
  }
}

/** The pictures have loaded, and are painted with the next frame. */
function painted(): void {
  requestAnimationFrame(() => setTimeout(start, PAINT_MS))
}

const timer = setTimeout(start, MAX_WAIT_MS)
for (const name of INPUT_EVENTS) addEventListener(name, start, { passive: true })
if (document.readyState === 'complete') painted()
else addEventListener('load', painted)
