import { Problem } from '#problem'

const FORMS = ['application/x-www-form-urlencoded', 'multipart/form-data']

/** Makes a form that cannot be read the sender's fault, wherever a page reads it. Pages that read none are not concerned. */
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
