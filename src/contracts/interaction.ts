import { isRecord } from '../base/tokens/decode.ts'
import { type Level, levels } from '../base/verdict.ts'
import type { PactFile, PactInteraction, PactState } from './pact-file.ts'

export interface Interaction {
  /** Its position in the verification, which marks its requests and results. */
  readonly number: number
  readonly pact: PactFile
  readonly source: PactInteraction
  readonly id: string
  readonly requirements: readonly string[]
  readonly clauses: readonly string[]
  /** How binding the exact answer is where the provider refuses. */
  readonly level: Level
  /** One of the committed contracts, in which nothing is pinned that the specification leaves open. */
  readonly own: boolean
  readonly method: string
  readonly status: number
  readonly states: readonly PactState[]
  /** Values that its provider states have to give, because its request is made with them. */
  readonly injected: readonly string[]
}

export function listInteractions(pacts: readonly PactFile[]): Interaction[] {
  let number = 0
  return pacts.flatMap((pact) =>
    pact.interactions.map((source) => {
      number += 1
      const references = source.comments?.references?.['twotoken']
      const fields = isRecord(references) ? references : {}
      const own = typeof fields['id'] === 'string'
      return {
        number,
        pact,
        source,
        own,
        id: own ? String(fields['id']) : `PACT ${pact.consumer}: ${source.description}`,
        requirements: listed(fields['requirements']),
        clauses: listed(fields['clauses']),
        level: levels.find((level) => level === fields['level']) ?? 'MUST',
        method: source.request?.method.toUpperCase() ?? 'GET',
        status: source.response?.status ?? 200,
        states: source.providerStates,
        injected: listExpressions(source.request?.['generators']),
      }
    }),
  )
}

function listed(field: unknown): readonly string[] {
  return typeof field === 'string' && field !== '' ? field.split(/,\s*/) : []
}

/** The names in `${…}` of every generator that is filled in from the provider state. */
function listExpressions(generators: unknown): string[] {
  const names = new Set<string>()
  const left = [generators]
  while (left.length > 0) {
    const one = left.pop()
    if (!isRecord(one)) continue
    if (one['type'] === 'ProviderState')
      for (const name of namesIn(String(one['expression'] ?? ''))) names.add(name)
    else for (const inner of Object.values(one).reverse()) left.push(inner)
  }
  return [...names]
}

/** The whole expression where it names nothing. */
function namesIn(expression: string): string[] {
  const opened = expression.split('${').slice(1)
  const names = opened.flatMap((rest) => (/^[^}]/.test(rest) && rest.includes('}') ? rest.split('}', 1) : []))
  return names.length > 0 ? names : [expression]
}
