import { Problem } from '#problem'

const FORMS = ['application/x-www-form-urlencoded', 'multipart/form-data']

/** Answers 400 if a page reads a form that cannot be parsed. Other pages ignore it. */
export function refuseUnreadable(request: Request): Request {
  const read = request.formData.bind(request)
  request.formData = async () => {
    const [type = ''] = (request.headers.get('content-type') ?? '').split(';')
    if (type !== '' && !FORMS.includes(type.trim().toLowerCase()))
      throw new Problem(415, 'Pages take forms only')
    return read().catch((error: unknown) => {
      throw new Problem(400, 'The form is damaged or incomplete; please send it again', { cause: error })
    })
  }
  return request
}
