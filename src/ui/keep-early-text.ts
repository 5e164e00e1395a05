/**
 * Keeps text that was typed before hydration. React keeps inputs and selects, but resets a textarea with content to
 * the server's text, maybe more than once. A mutation observer restores it each time.
 * @returns call it after hydration: it fires an input event for listeners
 */
export function keepEarlyText(): () => void {
  const ends = [...document.querySelectorAll('textarea')].map(preserve)
  return () => {
    for (const end of ends) end()
  }
}

function preserve(field: HTMLTextAreaElement): () => void {
  let { value, selectionStart, selectionEnd } = field
  let wasReset = false
  const remember = () => {
    ;({ value, selectionStart, selectionEnd } = field)
  }
  const restore = () => {
    if (field.value === value) return
    wasReset = true
    field.value = value
    field.setSelectionRange(selectionStart, selectionEnd)
  }
  // On the window, so before React, which hydrates at the first event.
  addEventListener('input', remember, true)
  document.addEventListener('selectionchange', remember)
  const watch = new MutationObserver(restore)
  watch.observe(field, { childList: true })
  return () => {
    if (watch.takeRecords().length > 0) restore()
    watch.disconnect()
    removeEventListener('input', remember, true)
    document.removeEventListener('selectionchange', remember)
    if (wasReset) field.dispatchEvent(new Event('input', { bubbles: true }))
  }
}
