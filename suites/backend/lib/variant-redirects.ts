import { Agent, request } from 'undici'
import type { Backend, Inbound } from './variants.ts'

type CallMint = Backend['callMint']
type MintCall = Parameters<CallMint>[0]
type Headers = Readonly<Record<string, string>>

interface Following {
  /** The headers for the new address, which may be changed as well; the same ones where absent. */
  readonly change?: (url: URL, headers: Headers) => Headers
}

export function followRedirects({ change = (_, headers) => headers }: Following): CallMint {
  return async (call, usual) => {
    const reply = await usual(call)
    const { location } = reply.headers
    if (reply.status <= 300 || reply.status >= 400 || location === undefined) return reply
    // An address without a host stays with the mint, which only the usual client knows.
    if (location.startsWith('/')) return await usual({ ...call, path: location })
    const url = new URL(location)
    const headers = change(url, call.headers)
    return await send(url, reply.status >= 307 ? { ...call, headers } : { method: 'GET', headers })
  }
}

interface Settings {
  /** The named host is asked without the key, and the mint as usual. */
  readonly isWithoutKey?: boolean
  /** The suite's certificates are not trusted. */
  readonly verifies?: boolean
}

/** A backend that calls the mint at an address which the app's request names; at its own where that names none. */
export function mintAt(
  baseOf: (inbound: Inbound) => string | undefined,
  { isWithoutKey = false, verifies = false }: Settings = {},
): Pick<Backend, 'mintCall' | 'callMint'> {
  const bases = new WeakMap<object, string>()
  return {
    mintCall(usual, { inbound }) {
      const base = baseOf(inbound)
      if (base !== undefined) bases.set(usual, base)
      return usual
    },
    async callMint(call, usual) {
      const base = bases.get(call)
      if (base === undefined) return await usual(call)
      const reply = await send(new URL(base + call.path), isWithoutKey ? { method: 'GET' } : call, verifies)
      return isWithoutKey ? await usual(call) : reply
    },
  }
}

async function send(url: URL, call: Partial<MintCall>, verifies = false) {
  const agent = new Agent({ connect: { rejectUnauthorized: verifies } })
  try {
    const { method = 'GET', headers = {}, body = null } = call
    const reply = await request(url, { dispatcher: agent, method, headers, body })
    const text = await reply.body.text()
    return { status: reply.statusCode, statusText: reply.statusText, headers: {}, body: text }
  } finally {
    await agent.destroy()
  }
}
