/**
 * Keeps what is typed into a page before React has taken it over. React leaves inputs and selects as they are then, but
 * sets a textarea that held text back to what the server had sent, maybe more than once. Each time its children change,
 * and what was typed is put back before anybody can go on typing.
 * @returns to be called once React has taken over: whoever listens to a field hears of it, as of typing
 */
export function keepEarlyText(): () => void {
  const ends = [...document.querySelectorAll('textarea')].map(keep)
  return () => {
    for (const end of ends) end()
  }
}

function keep(field: HTMLTextAreaElement): () => void {
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
  // At the window, so before React, which goes on taking over at the first event that it hears.
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
