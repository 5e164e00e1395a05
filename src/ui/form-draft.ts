/** What a person typed into the text fields of a form, as it was typed. Passwords are never handed back. */
export function textFieldsOf(form: FormData): Record<string, string> {
  const typed = [...form].filter(([name, value]) => typeof value === 'string' && !/password/i.test(name))
  return Object.fromEntries(typed) as Record<string, string>
}
