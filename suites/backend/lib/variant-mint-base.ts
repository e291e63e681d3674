import { Agent, request } from 'undici'
import type { Policies } from '../../../src/requirement/define.ts'

type Backend = Policies['backend']
type Inbound = Parameters<Backend['mintCall']>[1]['inbound']

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
      await using agent = disposable(new Agent({ connect: { rejectUnauthorized: verifies } }))
      const { method, headers, body, path } = call
      const sent = isWithoutKey ? { method: 'GET' as const } : { method, headers, body }
      const response = await request(base + path, { dispatcher: agent.value, ...sent })
      const text = await response.body.text()
      if (isWithoutKey) return await usual(call)
      return { status: response.statusCode, statusText: response.statusText, headers: {}, body: text }
    },
  }
}

function disposable(value: Agent) {
  return { value, [Symbol.asyncDispose]: () => value.destroy() }
}
