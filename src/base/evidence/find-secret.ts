import { type Encoding, searchDecoded } from './decoded-search.ts'
import { unescapeAll } from './text-view.ts'

/** How a text holds a secret, or `null`: as it is, escaped, backwards, or encoded, also twice. */
export function findSecret(text: string, secret: string): Encoding | null {
  if (secret === '') return null
  // The search undoes what looks like an escape in the secret itself.
  const forms = new Set([secret, unescapeAll(secret)])
  const find = function* (reading: string) {
    for (const form of forms) {
      const at = form === '' ? -1 : reading.indexOf(form)
      if (at >= 0) yield { start: at, end: at + form.length, what: secret }
    }
  }
  const [first] = searchDecoded(text, find, { shortest: secret.length })
  return first?.encoding ?? null
}
