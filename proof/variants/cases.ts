import type { Degenerate } from '../../fixtures/conforming.ts'
import {
  type LoadModule,
  loadAnew,
  loadProvenCatalogue,
  type ProvenCheck,
} from '../../src/catalogue/load-requirements.ts'
import { loadVariants } from '../../src/catalogue/load-variants.ts'
import type { AnyCheck, Catch, Role, Variant } from '../../src/requirement/define.ts'
import { sortByTurn } from '../../src/requirement/run.ts'
import { isUndecided } from './proof-process.ts'
import { type Cell, proveCaught, proveCaughtWhole, proveNoPass, proveUnaccused } from './prove.ts'

/** One run of some requirements against one variant; it fills some cells of the table. */
export interface ProofCase {
  readonly kind: Cell['kind']
  readonly name: string
  /** `npm test` proves it: no conforming variant and no client, which take longer, and one broken variant for each set of hooks. */
  readonly isQuick: boolean
  prove(): Promise<Cell[]>
}

/** The same with its variant as at first, whatever was done to that. */
export interface RepeatableCase extends ProofCase {
  proveAnew(): Promise<Cell[]>
}

interface CaseOptions {
  readonly slice?: number | undefined
  readonly isWhole?: boolean
  readonly suites?: string
}

type IsWanted = (check: ProvenCheck) => boolean

/**
 * In a slice, each conforming variant meets every so-many-th requirement, and the next variant the next, as in the next slice:
 * a page costs seconds, a variant of a server meets a hundred requirements, and one of a bundle four.
 */
const strides = { client: 24, bundle: 2, other: 16 } as const

/** After so many slices each variant has met each requirement: the least common multiple of the strides. */
export const slices = 48

/** The slice that is proved with a commit, so that each commit proves other pairs. */
export function sliceOf(commit: string): number {
  return Number.parseInt(commit.slice(0, 8), 16) % slices
}

/**
 * All that has to be proved: every broken variant is caught, no other fails, no degenerate peer earns a pass. In a
 * `slice` each conforming variant is judged by some of the requirements, and all of them together by all. With `isWhole`
 * broken variants are judged by all requirements that a run of their role judges at once, and so are conforming ones.
 */
export async function loadCases(
  wanted: IsWanted = () => true,
  options: CaseOptions = {},
): Promise<RepeatableCase[]> {
  const proveAnew = async ({ kind, name }: ProofCase): Promise<Cell[]> => {
    const loaded = await listCases(wanted, options, loadAnew)
    return (await loaded.find((one) => one.kind === kind && one.name === name)?.prove()) ?? []
  }
  const cases = await listCases(wanted, options)
  return cases.map((one) => ({ ...one, proveAnew: () => proveAnew(one) }))
}

async function listCases(
  wanted: IsWanted,
  { slice, isWhole = false, suites }: CaseOptions,
  load?: LoadModule,
): Promise<ProofCase[]> {
  const catalogue = await loadProvenCatalogue(undefined, suites, load)
  const checks = catalogue.filter(wanted)
  const beside = ({ role }: AnyCheck) => catalogue.filter((check) => check.role === role)
  const { conforming, degenerate } = await loadVariants(load)
  const reference: ProofCase = {
    kind: 'reference',
    name: 'reference',
    isQuick: true,
    prove: () => proveUnaccused(checks, 'reference', { variant: {} }),
  }
  const judges = (variant: Variant, position: number) => {
    const concerned = rolesConcerned(variant)
    const own = checks.filter(({ role }) => concerned.has(role))
    if (slice === undefined) return own
    const some = own.filter(({ role }, index) => (index + position + slice) % strideOf(role) === 0)
    // The stride of clients is longer than the list of their requirements.
    if (some.length > 0 || !own.some(({ role }) => role === 'client')) return some
    const place = (position + slice) % own.length
    return own.slice(place, place + 1)
  }
  return [
    reference,
    ...[...conforming]
      .map(([name, variant], position) => ({ name, variant, checks: judges(variant.variant, position) }))
      .filter(({ checks: own }) => own.length > 0)
      .map(
        ({ name, variant, checks: own }): ProofCase => ({
          kind: 'conforming',
          name,
          isQuick: false,
          prove: () => proveUnaccused(own, name, variant),
        }),
      ),
    ...[...degenerate].flatMap(([name, peer]): ProofCase[] => {
      const negatives = checks.filter(
        ({ role, kind }) => role === peer.role && peer.noPass.some((negative) => negative === kind),
      )
      // Clients meet one requirement after the other: each of those may take long.
      const alone = negatives.filter(({ role }) => role === 'client').map((check) => [check])
      const together = negatives.filter(({ role }) => role !== 'client')
      return [...alone, ...(together.length === 0 ? [] : [together])].map((some) =>
        degenerateCase(name, peer, some),
      )
    }),
    // The last of a run wait the longest: they begin first.
    ...sortByTurn(checks)
      .toReversed()
      .flatMap((check) => {
        const hooks = new Set<string>()
        return Object.entries(check.catches).map(([name, variant]): ProofCase => {
          const isFirst = !hooks.has(hooksOf(variant))
          hooks.add(hooksOf(variant))
          return {
            kind: 'broken',
            name: `${check.id}/${name}`,
            isQuick: isFirst && check.role !== 'client',
            prove: async () => [
              isWhole ? await proveCaughtWhole(beside(check), check, name) : await proveCaught(check, name),
            ],
          }
        })
      }),
  ]
}

/** The hooks that a variant replaces and the keys that it configures: those with the same ones differ in a value, as a rule. */
function hooksOf({ as: _, ...parts }: Catch): string {
  const named = Object.entries(parts).map(([part, hooks]) => `${part} ${Object.keys(hooks).toSorted()}`)
  return named.toSorted().join()
}

function strideOf(role: Role): number {
  return role === 'client' || role === 'bundle' ? strides[role] : strides.other
}

/** The roles whose requirements meet a part, or the configuration of it. */
const meeting: Readonly<Record<string, readonly Role[]>> = {
  // Its tokens go everywhere.
  mint: ['mint', 'backend', 'signaling', 'flow'],
  backend: ['backend', 'flow'],
  signaling: ['signaling', 'flow'],
}
/** The client meets doubles only, and artefacts are only read: what else differs is what the doubles speak. */
const apart = ['client', 'bundle'] as const

/** The roles whose requirements a variant could affect. */
function rolesConcerned({ configuration = {}, ...parts }: Variant): ReadonlySet<Role> {
  const alone = apart.filter((role) => role in parts || role in configuration)
  if (alone.length > 0) return new Set(alone)
  const changed = [...Object.keys(parts), ...Object.keys(configuration)]
  // Credentials, limits and what is declared absent concern every role, as the mint does.
  return new Set(changed.flatMap((name) => meeting[name] ?? meeting['mint'] ?? []))
}

function degenerateCase(name: string, peer: Degenerate, negatives: readonly AnyCheck[]): ProofCase {
  return {
    kind: 'degenerate',
    name: `${name} for ${negatives.map(({ id }) => id).join(', ')}`,
    isQuick: peer.role !== 'client',
    prove: () => proveNoPass(negatives, name, peer),
  }
}

/** Cases that are proved once more, one after the other. */
let alone = Promise.resolve()

/** `npm test` proves a case once more that a busy machine has kept undecided, one after the other. A `pass` stands. */
export async function proveAgainWhereUndecided({ prove, proveAnew }: RepeatableCase): Promise<Cell[]> {
  const cells = await prove()
  if (!cells.some(isUndecided)) return cells
  const again = alone.then(proveAnew)
  alone = again.then(
    () => undefined,
    () => undefined,
  )
  return await again
}
