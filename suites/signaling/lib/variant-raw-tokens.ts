import { compactVerify, decodeProtectedHeader } from 'jose'
import type { Catch, Policies } from '../../../src/requirement/define.ts'

type Signaling = Policies['signaling']
type Parts = readonly string[]

/** A service that reads one token, or no whole one, and verifies another. */
export function verifyingOne(take: (token: string) => readonly [read: Parts, verified: Parts] | null): Catch {
  const verifiedOf = new Map<string, string>()
  return {
    signaling: {
      split(token) {
        const taken = take(token)
        const [header, payload, signature, ...more] = taken?.[0] ?? token.split('.')
        if (header === undefined || payload === undefined || signature === undefined || more.length > 0)
          return null
        if (taken !== null) verifiedOf.set(`${header}.${payload}.${signature}`, taken[1].join('.'))
        return [header, payload, signature]
      },
      async signatureHolds({ token }, trust, usual) {
        const verified = verifiedOf.get(token)
        return verified === undefined ? usual() : await isGenuine(verified, trust)
      },
    },
  }
}

interface JsonToken {
  readonly protected?: string
  readonly payload?: string
  readonly signature?: string
  readonly signatures?: readonly unknown[]
}

/** A service that also takes JSON; `verified` is null where it verifies nothing. */
export function takingJson(
  take: (json: JsonToken, text: string) => { read: string | undefined; verified: string | null } | null,
): Catch {
  return inHeader({
    signaling: {
      async open(credential, usual) {
        if (!credential.startsWith('{')) return usual()
        const taken = take(JSON.parse(credential), credential)
        if (taken?.read === undefined) return usual()
        return `json.${taken.read}.${Buffer.from(taken.verified ?? '').toString('base64url')}`
      },
      split(token) {
        const [header, payload, signature, ...more] = token.split('.')
        if (payload === undefined || signature === undefined || more.length > 0) return null
        const known = Buffer.from('{"alg":"json"}').toString('base64url')
        return [header === 'json' ? known : (header ?? ''), payload, signature]
      },
      async signatureHolds({ header, signature }, trust, usual) {
        if (header['alg'] !== 'json') return usual()
        const verified = Buffer.from(signature).toString('utf8')
        return verified === '' || (await isGenuine(verified, trust))
      },
    },
  })
}

/** A header carries what a subprotocol cannot. */
export function inHeader(variant: Catch): Catch {
  const carriage = { in: 'header', name: 'Authorization', template: 'Bearer {jwt}' } as const
  return { ...variant, signaling: { ...variant.signaling, carriage } }
}

async function isGenuine(token: string, trust: Parameters<Signaling['signatureHolds']>[1]): Promise<boolean> {
  try {
    await compactVerify(token, await trust.key({ ...decodeProtectedHeader(token) }))
    return true
  } catch {
    return false
  }
}
