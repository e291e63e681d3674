import type { Answer } from '../../base/http/client.ts'

/** Whether a person was meant to read the answer. The content type alone says little: PHP calls its JSON HTML. */
export function isWebPage({ body }: Answer): boolean {
  return /^\s*<(?:!doctype\s+html|html)[\s>]/i.test(body)
}

/** The words with which servers answer plain HTTP on a port of TLS. */
export function wantsTls({ status, body }: Answer): boolean {
  return status === 400 && /HTTP request (?:was sent )?to (?:an )?HTTPS (?:port|server)/i.test(body)
}
