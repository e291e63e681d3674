import type { PacedPart } from '../base/http/limits.ts'
import type { Level } from '../base/verdict.ts'
import type { Judge } from './judge.ts'
import type { Lane, Stage } from './lanes.ts'
import type { CheckContext, Need } from './needs.ts'

export const roles = ['mint', 'backend', 'signaling', 'flow', 'client', 'bundle'] as const
export type Role = (typeof roles)[number]

/** Changes of a variant, part by part. Stacks add theirs by declaration merging, so that no suite imports a fixture. */
export interface Policies {
  /** Keys of `twotoken.yaml` that describe the stack; `null` takes a key away. */
  readonly configuration: Readonly<Record<string, unknown>>
}

/** A stack that differs from the reference in a few hooks of its policies. */
export type Variant = { readonly [Part in keyof Policies]?: Partial<Policies[Part]> }

/** How a check must catch it: `warn` for a softer part, `untested` where nothing shows it, `error` where it may be down. */
export type Catch = Variant & {
  readonly as?: 'fail' | 'warn' | 'untested' | 'error'
  /** The backend calls its real mint, as one that cannot be pointed at the mint double. */
  readonly withoutDouble?: true
  /** What a new start of its part does to what it has kept: the proof starts it again so. */
  readonly restart?: () => void
}

/** A pass shows that something works, that something is rejected, or that a failure of the counterpart is handled. */
export type CheckKind = 'positive' | NegativeKind
/** A peer that is down, or answers everything alike, can look like these: it must never earn their pass. */
export type NegativeKind = 'rejects' | 'handles-failure'

/** How a requirement is driven, and what gives each verdict but a pass, in sentences: the text of `twotoken explain`. */
export interface Method {
  readonly does: readonly string[]
  readonly fails?: readonly string[]
  readonly warns?: readonly string[]
  /** Cases that are not judged, or to which the requirement does not apply. */
  readonly untested?: readonly string[]
}

/** A section of another standard that asks for the same. */
export type Standard = `RFC ${number}, ${string}` | `OWASP ASVS 5.0, ${string}`

/** The fields of a requirement that each of its results repeats. */
export interface Heading {
  readonly id: string
  /** Completes "the mint …", "the backend …", and so on. */
  readonly title: string
  readonly role: Role
  readonly level: Level
  /** Clauses of the specification; empty for advice beyond it. */
  readonly clauses: readonly string[]
  readonly why: string
}

export function headingOf({ id, title, role, level, clauses, why }: Heading): Heading {
  return { id, title, role, level, clauses, why }
}

/** The broken variants of one requirement, by what is wrong with them, from its `<name>.broken.ts`: they prove its probe. */
export type BrokenVariants = Readonly<Record<string, Catch>>

/** One requirement as its file has it: what it asks, why, and how it is probed. */
interface WrittenCheck<Needs extends Need> extends Omit<Heading, 'role'> {
  /** Every requirement states it, so that no negative one is left out when the proof meets degenerate peers. */
  readonly kind: CheckKind
  /** The sentence of the specification that makes it a MUST, in the project's words; a MUST without one is none. */
  readonly basis?: string
  /** Where users can read more than the specification says. */
  readonly standards?: readonly Standard[]
  readonly how: Method
  readonly needs: readonly Needs[]
  /** Parts that it asks, or whose double it scripts; those of its role where absent. Fetching a token drives nothing. */
  readonly drives?: readonly Lane[]
  /** `ordinary` where absent. */
  readonly stage?: Exclude<Stage, 'ordinary'>
  /** Calling tokens that it costs at most, where a service behaves as the reference: `--max-mints` plans with it. Absent: 0. */
  readonly mints?: number
  /** Requests to a part that are under way at once; it stays untested where `limits.pace` allows fewer. */
  readonly atOnce?: Readonly<Partial<Record<PacedPart, number>>>
  run(parts: CheckContext<Needs>, judge: Judge): Promise<void>
}

export interface Check<Needs extends Need = Need> extends WrittenCheck<Needs> {
  readonly role: Role
}

const rolesByPrefix: Readonly<Record<string, Role>> = {
  MINT: 'mint',
  BACK: 'backend',
  SIG: 'signaling',
  FLOW: 'flow',
  CLI: 'client',
  PKG: 'bundle',
}

/** Types the parts that `run` receives by what the check says it needs. Its id says its role. */
export function defineCheck<const Needs extends Need>(check: WrittenCheck<Needs>): Check<Needs> {
  const role = rolesByPrefix[check.id.split('-', 1)[0] ?? '']
  if (role === undefined) throw new TypeError(`${check.id} begins with no prefix of a role`)
  return { ...check, role }
}

/** A check with its parts forgotten, as the runner sees it. */
export type AnyCheck = Omit<Check, 'run' | 'needs'> & {
  readonly needs: readonly Need[]
  run(parts: never, judge: Judge): Promise<void>
}
