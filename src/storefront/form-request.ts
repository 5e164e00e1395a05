import { Problem } from '#problem'

const FORMS = ['application/x-www-form-urlencoded', 'multipart/form-data']

/** A request to a page. Reading a form that cannot be parsed throws Problem 400 or 415; pages without a form ignore it. */
export class FormRequest extends Request {
  override async formData(): Promise<FormData> {
    const [type = ''] = (this.headers.get('content-type') ?? '').split(';')
    if (type !== '' && !FORMS.includes(type.trim().toLowerCase()))
      throw new Problem(415, 'Pages take forms only')
    try {
      return await super.formData()
    } catch (error) {
      throw new Problem(400, 'The form is damaged or incomplete; please send it again', { cause: error })
    }
  }
}
