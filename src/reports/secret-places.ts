import { z } from 'zod'
import type { RunResults } from './results.ts'

export const whereabouts = ['belongs', 'out of place', 'not seen'] as const
export type Whereabouts = (typeof whereabouts)[number]

/** Places by secret; a secret that was not looked for at a place is absent there. */
const secretPlaces = z.record(z.string(), z.record(z.string(), z.enum(whereabouts)))

export interface SecretTable {
  readonly secrets: readonly string[]
  readonly rows: readonly { readonly place: string; readonly cells: readonly (Whereabouts | null)[] }[]
}

/** The worst result counts where several requirements report a secret at one place. */
const worstFirst: readonly Whereabouts[] = ['out of place', 'belongs', 'not seen']

/** One table of every observation whose name ends in `.secretPlaces`. */
export function buildSecretTable({ checks }: Pick<RunResults, 'checks'>): SecretTable {
  const rows = new Map<string, Map<string, Whereabouts>>()
  const secrets = new Set<string>()
  const observed = checks
    .flatMap(({ observations }) => Object.entries(observations))
    .filter(([name]) => name.endsWith('.secretPlaces'))
    .flatMap(([, value]) => Object.entries(secretPlaces.safeParse(value).data ?? {}))
  for (const [place, found] of observed) {
    const row = rows.get(place) ?? new Map<string, Whereabouts>()
    rows.set(place, row)
    for (const [secret, where] of Object.entries(found)) {
      secrets.add(secret)
      const before = row.get(secret) ?? 'not seen'
      row.set(secret, worstFirst.indexOf(before) < worstFirst.indexOf(where) ? before : where)
    }
  }
  const columns = [...secrets]
  return {
    secrets: columns,
    rows: [...rows].map(([place, row]) => ({
      place,
      cells: columns.map((secret) => row.get(secret) ?? null),
    })),
  }
}
