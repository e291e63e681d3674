import { isRecord, readToken } from './decode.ts'
import { jsonPaths, valuesAt } from './json-paths.ts'

export type Located =
  | { readonly kind: 'found'; readonly token: string; readonly at: string }
  | { readonly kind: 'ambiguous'; readonly candidates: readonly string[] }
  | { readonly kind: 'missing' }

/**
 * Finds the token as clause 4.1 describes it: at `token`, else at `jwt`, else the whole body, else the only string
 * that reads as a JWS or JWE. A place that holds such a string wins over one that holds any other string, since the
 * name of the field is not specified; a plain string at `token` or `jwt` is taken only when there is nothing better.
 */
export function locateToken(body: { readonly text: string; readonly json: unknown }, field: string): Located {
  if (field !== 'auto') return atPath(body.json, field)
  const { json } = body
  const named = isRecord(json)
    ? (['token', 'jwt'] as const).filter((name) => typeof json[name] === 'string' && json[name] !== '')
    : []
  const whole = typeof json === 'string' ? json : json === undefined ? body.text.trim() : ''
  for (const name of named) {
    const value = isRecord(json) ? json[name] : undefined
    if (typeof value === 'string' && readToken(value) !== null)
      return { kind: 'found', token: value, at: name }
  }
  if (readToken(whole) !== null) return { kind: 'found', token: whole, at: 'whole body' }
  const candidates = jsonPaths(json).filter(
    ({ value }) => typeof value === 'string' && readToken(value) !== null,
  )
  const distinct = new Set(candidates.map(({ value }) => value))
  const [only] = candidates
  if (only !== undefined && distinct.size === 1)
    return { kind: 'found', token: String(only.value), at: only.path }
  if (candidates.length > 1) return { kind: 'ambiguous', candidates: candidates.map(({ path }) => path) }
  const [name] = named
  if (name !== undefined && isRecord(json)) return { kind: 'found', token: String(json[name]), at: name }
  if (typeof json === 'string' && json !== '') return { kind: 'found', token: json, at: 'whole body' }
  return { kind: 'missing' }
}

function atPath(json: unknown, path: string): Located {
  const values = valuesAt(json, path).filter(
    (value): value is string => typeof value === 'string' && value !== '',
  )
  const [only] = values
  if (values.length > 1)
    return { kind: 'ambiguous', candidates: values.map((_, index) => `${path} (match ${index + 1})`) }
  return only === undefined ? { kind: 'missing' } : { kind: 'found', token: only, at: path }
}
