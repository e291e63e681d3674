import type { ShownToken, TokenParts } from '../../base/evidence/exchange.ts'
import { readParts } from '../../base/tokens/decode.ts'
import { jsonPaths } from '../../base/tokens/json-paths.ts'

/**
 * Decodes forged tokens, each beside the genuine token that it was made from: the one with which it has most in common.
 * What it returns may state secrets, and is hidden where it is written.
 */
export type DecodeForged = (token: string, genuine: readonly string[]) => ShownToken | null

interface Decoded {
  readonly parts: TokenParts
  readonly leaves: ReadonlySet<string>
}

export function createForgedDecoder(): DecodeForged {
  const known = new Map<string, Decoded | null>()
  const decode = (token: string): Decoded | null => {
    const before = known.get(token)
    if (before !== undefined) return before
    const parts = readParts(token)
    const decoded = parts === null ? null : { parts, leaves: leavesOf(parts) }
    known.set(token, decoded)
    return decoded
  }
  return (token, genuine) => {
    const parts = readParts(token)
    if (parts === null) return null
    const own = [...leavesOf(parts)]
    let nearest: { readonly parts: TokenParts; readonly common: number } | null = null
    for (const one of genuine) {
      const decoded = decode(one)
      if (decoded === null) continue
      const common = own.filter((leaf) => decoded.leaves.has(leaf)).length
      if (common > (nearest?.common ?? 0)) nearest = { parts: decoded.parts, common }
    }
    return nearest === null ? parts : { ...parts, genuine: nearest.parts }
  }
}

function leavesOf(parts: TokenParts): Set<string> {
  return new Set(jsonPaths(parts).map(({ path, value }) => `${path}=${JSON.stringify(value)}`))
}
