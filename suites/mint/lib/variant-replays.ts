import { setTimeout } from 'node:timers/promises'

/** The parts of a request by which broken stores of responses know it again. */
interface Asked {
  readonly url: URL
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string | null
}

interface Store {
  keyOf(request: Asked): string | undefined
  readonly isPerApiKey?: true
  readonly isPerBody?: true
  readonly forgetsAfterMs?: number
  /** How long a request takes, in which others may come. */
  readonly takesMs?: number
}

/** Hooks of a mint that answers a key which it has seen with the response that it gave first. */
export function replay({ keyOf, isPerApiKey, isPerBody, forgetsAfterMs, takesMs = 0 }: Store) {
  // One variant may serve several mints in turn, so each has its own store.
  const stores = new WeakMap<object, Map<string, Promise<unknown>>>()
  return {
    async answer<Answer extends { readonly status: number }>(
      usual: Answer,
      request: Asked,
      { signing }: { readonly signing: object },
    ): Promise<Answer> {
      const key = keyOf(request)
      if (key === undefined) return usual
      const store = stores.get(signing) ?? new Map<string, Promise<unknown>>()
      stores.set(signing, store)
      const apiKey = isPerApiKey === true ? request.headers['authorization'] : ''
      const id = JSON.stringify([key, apiKey, isPerBody === true ? request.body : ''])
      const stored = store.get(id)
      if (stored !== undefined) return (await stored) as Answer
      if (usual.status !== 200) return usual
      const given = setTimeout(takesMs, usual)
      store.set(id, given)
      if (forgetsAfterMs !== undefined) given.then(() => store.delete(id)).catch(() => undefined)
      return await given
    },
  }
}
