/** Whether a control's value differs from its rendered one. */
export const isChanged = (control: Element): boolean => {
  if (control instanceof HTMLSelectElement) return !control.selectedOptions[0]?.defaultSelected
  if (control instanceof HTMLInputElement && ['checkbox', 'radio'].includes(control.type))
    return control.checked !== control.defaultChecked
  if (control instanceof HTMLInputElement && control.type === 'file') return control.files?.length !== 0
  if (control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement)
    return control.value !== control.defaultValue
  return false
}

/** Whether something on the page has the focus, or the form has changes. */
export const isInUse = (form: HTMLFormElement | null): boolean =>
  document.activeElement !== document.body || [...(form?.elements ?? [])].some(isChanged)
