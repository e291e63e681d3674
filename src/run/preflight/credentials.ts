import { readToken } from '../../base/tokens/decode.ts'
import type { Configuration } from '../../configuration/configuration.ts'
import { type Credential, credentialsOf } from './credentials-of.ts'
import { findMixedUpProblems } from './mixed-up.ts'
import type { Problem } from './problem.ts'

/** Credentials that cannot be meant as they are written: each is told before it is tried, by its key in the file. */
export function findCredentialProblems(
  configuration: Configuration,
  parts: readonly string[],
  wallNow: number,
): Problem[] {
  const credentials = credentialsOf(configuration).filter(({ part }) => parts.includes(part))
  const odd = credentials.flatMap((credential): Problem[] => {
    const sentence = whatIsOdd(credential, wallNow)
    return sentence === null ? [] : [problemWith(credential, sentence)]
  })
  return [...odd, ...findMixedUpProblems(configuration, parts)]
}

function problemWith({ part, key, kind }: Credential, sentence: string): Problem {
  return {
    part,
    kind: kind === 'api-key' ? 'credential' : 'session',
    message: `${key} ${sentence}`,
    fatal: true,
  }
}

/** The rest of the sentence that begins with the key; null where nothing is odd. Never shows the value. */
function whatIsOdd({ key, value, kind, mayHaveEnded }: Credential, wallNow: number): string | null {
  if (kind === 'cookie')
    return /^[^\s=;,]+=[^\s;,]+$/.test(value) ? null : 'is not a cookie; expected name=value: write both'
  if (value.trim() === '') return 'is blank: set a credential, or remove the line'
  if (isUnfilled(value)) return 'is a placeholder that was never filled in: write the credential itself'
  if (/[\r\n]/.test(value.trim()))
    return 'has more than one line; expected the credential alone: remove the rest'
  if (/^bearer\s/i.test(value)) return 'begins with "Bearer", which the suite adds itself: remove that word'
  if (/^(["']).*\1$/.test(value)) return 'contains its quotation marks: remove them'
  if (/^\s*\{.*\}\s*$/.test(value))
    return 'is a JSON object; expected the credential alone: print its field (jq -r), or correct the login request'
  if (/\s/.test(value.trim())) return 'contains a space; expected the credential alone: remove the rest'
  const token = readToken(value)
  if (kind === 'api-key' && token?.format === 'JWS')
    return 'is a JWT (a session or calling token?); expected a server key: write the API key'
  if (kind === 'session' && value.startsWith('ac_live_'))
    return "is a server key; expected a user's sessionToken: sign the user in, and write that"
  const exp = token?.claims?.['exp']
  if (kind === 'session' && !mayHaveEnded && typeof exp === 'number' && exp * 1000 < wallNow)
    return `expired ${spanOf(wallNow - exp * 1000)} ago (exp); expected a live session: sign in again and replace it`
  if (key === 'backend.sessions.expired.token' && typeof exp === 'number' && exp * 1000 > wallNow)
    return `expires in ${spanOf(exp * 1000 - wallNow)} (exp); expected an expired session: replace it by one, or remove it (a signed-out session belongs in backend.sessions.signedOut)`
  return null
}

function spanOf(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000)
  if (seconds < 120) return `${seconds} s`
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`
  return seconds < 172_800 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86_400)} days`
}

/** Forms that examples and templates write in place of a credential. */
const placeholders: readonly RegExp[] = [
  /^<.*>$/s,
  /^\{\{.*\}\}$/s,
  /^\$\(?\w+\)?$/,
  /^%\w+%$/,
  /^(?:process|import\.meta)\.env\b/,
  /^(?:change|replace|fill|insert|paste|put)[-_ ]?(?:me|this|it|in|here|your|with)\b/i,
  /^(?:todo|tbd|fixme|placeholder|undefined|null|none)$/i,
  /^your[-_ ].*(?:key|token|session|secret|credential|here)s?$/i,
  /^(?:ac_live_)?(?:x{3,}|\*+|\.{2,}|…|your[-_].*|here|key)$/i,
]

/** Says whether a value only holds the place of a credential. */
function isUnfilled(value: string): boolean {
  return placeholders.some((form) => form.test(value.trim()))
}
