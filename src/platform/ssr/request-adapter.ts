import type { FastifyRequest } from 'fastify'
import type { RawInput } from '../api/api.ts'
import { originOf } from '../http/origin.ts'
import { mimeOf } from './forms.ts'

/**
 * Converts the input of a call in this process to what HTTP would have made of it: strings in path and query, a body without
 * undefined values. A body with a File becomes its bytes, as `receiveFile` returns them.
 */
export async function normalizeInput({ params, query, headers, body }: RawInput): Promise<RawInput> {
  const strings = (values: unknown) =>
    Object.fromEntries(
      Object.entries(values ?? {})
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => [name, String(value)]),
    )
  const file = Object.values(body ?? {}).find(value => value instanceof File)
  return {
    params: strings(params),
    query: strings(query),
    headers,
    body: file ? { file: Buffer.from(await file.arrayBuffer()) } : body && JSON.parse(JSON.stringify(body)),
  }
}

/**
 * Converts a request of Fastify to a web Request, for the router.
 * @param asGet as a GET without a body, to render an error page
 */
export function webRequest(request: FastifyRequest, asGet: boolean): Request {
  const url = new URL(request.url.replace(/^\/+/, '/'), originOf(request))
  const method = asGet || request.method === 'HEAD' ? 'GET' : request.method
  const type = mimeOf(request.headers['content-type'] ?? '')?.toString()
  const hasBody = method !== 'GET' && Buffer.isBuffer(request.body)
  return new Request(url, {
    method,
    headers: type ? { 'content-type': type } : {},
    ...(hasBody ? { body: request.body as Buffer<ArrayBuffer> } : {}),
  })
}
