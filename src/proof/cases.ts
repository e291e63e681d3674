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
  const all = (await loadCatalogue()).filter(({ role }) => role !== 'client')
  const checks = all.filter(wanted)
  const ofBundle = checks.filter(({ role }) => role === 'bundle')
  const ofService = checks.filter(({ role }) => role !== 'bundle')
  // How a mint differs is nothing to an artefact, and the other way round: each variant has the judges of its kind.
  const judges = (name: string) => (name.startsWith('bundle/') ? ofBundle : ofService)
  const { conforming, degenerate } = await loadVariants()
  const reference: ProofCase = {
    kind: 'reference',
    name: 'reference',
    prove: () => proveUnaccused(checks, 'reference', { variant: {} }),
  }
  return [
    reference,
    ...[...conforming]
      .filter(([name]) => judges(name).length > 0)
      .map(
        ([name, variant]): ProofCase => ({
          kind: 'conforming',
          name,
          prove: () => proveUnaccused(judges(name), name, variant),
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
