// A page is whole, and its links and forms work, before its scripts. So these come last: when the pictures are there,
// or when somebody reaches for the page, or after three seconds in any case. Until then the line belongs to what is
// looked at.

// Not what a pointer does that comes to rest on something: browsers tell it of one that has not moved, too.
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
  // All are fetched at once, instead of each when the one before has said what it needs.
  for (const href of [...imports, script])
    document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href }))
  void runInTurn()
}

/** One after the other, what others need first: a press in between is not kept waiting for all of them. */
async function runInTurn(): Promise<void> {
  for (const href of [...imports, script]) {
    await import(/* @vite-ignore */ href)
    await new Promise(done => setTimeout(done))
  }
}

/** The pictures have come, and are drawn with the next frame. */
function painted(): void {
  requestAnimationFrame(() => setTimeout(begin, DRAWING_MS))
}

const patience = setTimeout(begin, PATIENCE_MS)
for (const name of REACHING) addEventListener(name, begin, { passive: true })
if (document.readyState === 'complete') painted()
else addEventListener('load', painted)
