import { hole, mintCallAt } from '../model/mint-call.ts'
import type { ScanContext } from './scan-context.ts'
import type { ScannedFile } from './scanned-file.ts'
import { placeIn } from './scanned-file.ts'
import type { Window } from './window.ts'

const jwtText = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]*){1,3}/

export function reportJwt(audit: ScanContext, file: ScannedFile, window: Window): void {
  const [jwt] = jwtText.exec(window.text.slice(window.at, window.at + 8192)) ?? []
  if (jwt === undefined) return
  const five = jwt.split('.')
  const text = five.length === 4 ? five.slice(0, 3).join('.') : jwt
  reportToken(audit, text, { ...placeIn(file, window, window.at), decoder: window.decoder })
}

/** Reports a JWT by what it is; what only looks like one is not reported. */
export function reportToken(
  audit: ScanContext,
  jwt: string,
  where: { location: string; format: string; offset: number; decoder: string; line?: number },
): void {
  const candidates = jwt.split('.').length === 5 ? [jwt, jwt.split('.').slice(0, 3).join('.')] : [jwt]
  for (const text of candidates) {
    const verdict = audit.jwts.judge(text)
    if (verdict === null) continue
    const level = verdict === 'calling' ? 'error' : verdict === 'expired' ? 'warning' : 'note'
    audit.collector.report({
      rule: 'AUD-010',
      kind: 'jwt',
      level,
      ...where,
      secret: text,
      show: text.slice(0, 3),
    })
    return
  }
}

export function reportMintCall(audit: ScanContext, file: ScannedFile, window: Window): void {
  const call = mintCallAt(window.text, window.at, audit.mintHost)
  if (call === null) return
  const where = { ...placeIn(file, window, call.start), decoder: window.decoder }
  // A relative path beside the mint's address may be joined with it when the program runs.
  const isBeside = call.target === 'relative' && holdsHost(file.bytes, audit.mintHost ?? hole)
  reportCall(audit, isBeside ? { ...call, target: 'interpolated' } : call, where)
}

const known = new WeakMap<Buffer, { readonly host: string; readonly isThere: boolean }>()

/** Looked for once in a file, however many calls it holds. */
function holdsHost(bytes: Buffer, host: string): boolean {
  const before = known.get(bytes)
  if (before?.host === host) return before.isThere
  const isThere = ['https', 'http'].some((scheme) => bytes.includes(`${scheme}://${host}`))
  known.set(bytes, { host, isThere })
  return isThere
}

/** An error on the mint's host, a warning on another or an unknown one, a note without one. */
export function reportCall(
  audit: ScanContext,
  { url, target }: { url: string; target: 'mint' | 'other' | 'interpolated' | 'relative' },
  where: { location: string; format: string; offset: number; decoder: string; line?: number },
): void {
  audit.collector.report({
    rule: target === 'mint' ? 'AUD-020' : 'AUD-021',
    kind: 'mint-call',
    level: target === 'mint' ? 'error' : target === 'relative' ? 'note' : 'warning',
    ...where,
    secret: url,
    show: '',
  })
}
