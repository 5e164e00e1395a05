/** Values of the text fields of a form, without passwords. */
export function textFieldsOf(form: FormData): Record<string, string> {
  const typed = [...form].filter(([name, value]) => typeof value === 'string' && !/password/i.test(name))
  return Object.fromEntries(typed) as Record<string, string>
}
