import type { Sighting } from '../model/collector.ts'
import { mentionOf } from '../model/mention.ts'
import { hole, type MintCall, mintCallAt } from '../model/mint-call.ts'
import { hostBeside, wholeTextOf } from './around.ts'
import type { ScanContext } from './scan-context.ts'
import { placeIn, type ScannedFile, type Window } from './window.ts'

/** Where a token or an address is. */
type Where = Pick<Sighting, 'location' | 'format' | 'offset' | 'decoder' | 'line' | 'column'>

const jwtText = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]*){1,3}/

export function reportJwt(audit: ScanContext, file: ScannedFile, window: Window): void {
  const [jwt] = jwtText.exec(window.text.slice(window.at, window.at + 8192)) ?? []
  if (jwt === undefined) return
  reportToken(audit, jwt, { ...placeIn(file, window, window.at), decoder: window.decoder })
}

/** Reports a JWT by what it is, or its first three parts; what only looks like one is not reported. */
export function reportToken(audit: ScanContext, jwt: string, where: Where): void {
  for (const text of new Set([jwt, jwt.split('.').slice(0, 3).join('.')])) {
    const verdict = audit.jwts.judge(text)
    if (verdict === null) continue
    const level = verdict === 'calling' ? 'error' : verdict === 'other' ? 'note' : 'warning'
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
  const call = mintCallAt(window.text, window.at, audit.mintHost, !file.isText && !window.isExact)
  if (call === null) return
  const where = { ...placeIn(file, window, call.start), decoder: window.decoder }
  const mention = mentionIn(file, window, call)
  // A relative path beside the mint's address may be joined with it when the program runs.
  const isLoose = mention === null && call.target === 'relative'
  const beside = isLoose ? hostBeside(file, audit.mintHost ?? hole) : null
  if (beside !== null) reportCall(audit, { ...call, target: 'interpolated', beside }, where)
  else if (mention === null) reportCall(audit, call, where)
  // The note is none about a call of the same address elsewhere in the file.
  else reportCall(audit, { url: `${call.url}, ${mention}`, target: 'relative' }, where)
}

/** An error on the mint's host, a warning on another or an unknown one, a note without one. */
export function reportCall(
  audit: ScanContext,
  { url, target, beside }: Pick<MintCall, 'url' | 'target'> & { readonly beside?: string },
  where: Where,
): void {
  audit.collector.report({
    rule: target === 'mint' ? 'AUD-020' : 'AUD-021',
    kind: 'mint-call',
    level: target === 'mint' ? 'error' : target === 'relative' ? 'note' : 'warning',
    ...where,
    secret: url,
    show: beside === undefined ? url : `${url}, with ${beside} in the same file`,
  })
}

/** Where strings may be packed back to back, what is before an address is another one. */
function mentionIn({ isText, bytes, location, format }: ScannedFile, window: Window, call: MintCall) {
  const { text, offsetOf, isExact } = window
  if (!isText && !isExact) return null
  const isWhole = isExact || offsetOf(0) === 0
  return mentionOf({ text, ...call, isWhole, location, format }, () => wholeTextOf(bytes))
}
