import type { Degenerate } from '../../fixtures/conforming.ts'
import type { AnyCheck } from '../check/check.ts'
import { loadCatalogue } from '../cli/catalogue.ts'
import { type Cell, proveCaught, proveNoPass, proveUnaccused } from './prove.ts'
import { loadVariants } from './variants.ts'

/** One run of some requirements against one variant; it fills some cells of the table. */
export interface ProofCase {
  readonly kind: Cell['kind']
  readonly name: string
  prove(): Promise<Cell[]>
}

/** All that has to be proved: every broken variant is caught, no other is accused, no degenerate peer earns a pass. */
export async function loadCases(wanted: (check: AnyCheck) => boolean = () => true): Promise<ProofCase[]> {
  const checks = (await loadCatalogue()).filter(wanted)
  /**
   * The client meets doubles only, and artefacts are only read: variants of the other parts say nothing about them, nor
   * theirs about the other parts.
   */
  const concerned = (name: string) => {
    const alone = (['client', 'bundle'] as const).find((role) => name.startsWith(`${role}/`))
    return checks.filter(({ role }) =>
      alone === undefined ? role !== 'client' && role !== 'bundle' : role === alone,
    )
  }
  const { conforming, degenerate } = await loadVariants()
  const reference: ProofCase = {
    kind: 'reference',
    name: 'reference',
    prove: () => proveUnaccused(checks, 'reference', { variant: {} }),
  }
  return [
    reference,
    ...[...conforming]
      .filter(([name]) => concerned(name).length > 0)
      .map(
        ([name, variant]): ProofCase => ({
          kind: 'conforming',
          name,
          prove: () => proveUnaccused(concerned(name), name, variant),
        }),
      ),
    ...[...degenerate].flatMap(([name, peer]): ProofCase[] => {
      const negatives = checks.filter(({ id }) => peer.noPass.includes(id))
      return negatives.length === 0 ? [] : [degenerateCase(name, peer, negatives)]
    }),
    ...checks.flatMap((check) =>
      Object.keys(check.catches).map(
        (name): ProofCase => ({
          kind: 'broken',
          name: `${check.id}/${name}`,
          prove: async () => [await proveCaught(check, name)],
        }),
      ),
    ),
  ]
}

function degenerateCase(name: string, peer: Degenerate, negatives: readonly AnyCheck[]): ProofCase {
  return { kind: 'degenerate', name, prove: () => proveNoPass(negatives, name, peer) }
}
