import { isRecord } from './decode.ts'
import { jsonPaths, valuesAt } from './json-paths.ts'

/** The claims that hold exactly this userId. `claim` may name the only one: a name, or a JSONPath that begins with `$`. */
export function pathsHolding(
  claims: Readonly<Record<string, unknown>>,
  userId: string,
  claim: string,
): string[] {
  if (claim === 'auto')
    return jsonPaths(claims)
      .filter(({ value }) => value === userId)
      .map(({ path }) => path)
  return claimsAt(claims, claim).some((value) => value === userId) ? [claim] : []
}

/** A claim that holds the userId between two fixed texts: "user:u-1@project". */
export interface UserFrame {
  readonly path: string
  readonly before: string
  readonly after: string
}

/** A shorter id may be part of any text by chance. */
const shortestFramed = 4

/** The claims that hold this userId as a part of their text, once. With a claim named by the configuration, that one only. */
export function framesAround(
  claims: Readonly<Record<string, unknown>>,
  userId: string,
  claim: string,
): UserFrame[] {
  if (userId.length < shortestFramed) return []
  const leaves =
    claim === 'auto' ? jsonPaths(claims) : claimsAt(claims, claim).map((value) => ({ path: claim, value }))
  return leaves.flatMap(({ path, value }) => {
    if (typeof value !== 'string' || value === userId) return []
    const [before, after, ...more] = value.split(userId)
    return before === undefined || after === undefined || more.length > 0 ? [] : [{ path, before, after }]
  })
}

/** The userId at a path of `pathsHolding`; null where there is none. */
export function userAt(claims: Readonly<Record<string, unknown>>, path: string): string | null {
  const [user] = claimsAt(claims, path)
  return typeof user === 'string' ? user : null
}

/** A claim that is written without a `$` is a name. */
function claimsAt(claims: Readonly<Record<string, unknown>>, path: string): unknown[] {
  if (path.startsWith('$')) return valuesAt(claims, path)
  return isRecord(claims) && path in claims ? [claims[path]] : []
}
