import { Agent, request } from 'undici'
import type { Policies } from '../../../src/requirement/define.ts'

type CallMint = Policies['backend']['callMint']
type Headers = Readonly<Record<string, string>>

interface Following {
  /** The redirects that are followed; all where absent. */
  readonly statuses?: readonly number[]
  /** The headers for the new address, which may be changed as well; the same ones where absent. */
  readonly change?: (url: URL, headers: Headers) => Headers
}

/** A backend that goes where the mint sends it. */
export function followRedirects({ statuses, change = (_, headers) => headers }: Following): CallMint {
  return async (call, usual) => {
    const reply = await usual(call)
    const { location } = reply.headers
    const isFollowed = reply.status > 300 && reply.status < 400 && (statuses?.includes(reply.status) ?? true)
    if (!isFollowed || location === undefined) return reply
    // An address without a host stays with the mint, which only the usual client knows.
    if (location.startsWith('/')) return await usual({ ...call, path: location })
    await using agent = disposable(new Agent({ connect: { rejectUnauthorized: false } }))
    const url = new URL(location)
    const headers = change(url, call.headers)
    const keepsMethod = reply.status >= 307
    const response = await request(url, {
      dispatcher: agent.value,
      method: keepsMethod ? call.method : 'GET',
      headers,
      ...(keepsMethod ? { body: call.body } : {}),
    })
    return {
      status: response.statusCode,
      statusText: response.statusText,
      headers: {},
      body: await response.body.text(),
    }
  }
}

function disposable(value: Agent) {
  return { value, [Symbol.asyncDispose]: () => value.destroy() }
}
