import { Problem } from '#problem'

/** The upload is not accepted: 400. The message is for people; the cause has the decoder's error. */
export class RefusedImage extends Problem {
  constructor(message: string, options?: ErrorOptions) {
    super(400, message, options)
  }
}
