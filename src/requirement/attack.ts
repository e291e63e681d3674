import { fewAtOnce, inBatches } from './in-batches.ts'
import type { Judge } from './judge.ts'

/** One row of the table of an attack. */
export interface Case {
  /** A noun: "an expired session". */
  readonly name: string
}

/** The result of one case. */
export interface Met {
  /** The exchanges that show it. */
  readonly evidence: readonly string[]
  /** Neither served nor rejected: no response, a rate limit, or a gateway without its upstream. */
  readonly isUndecided: boolean
  /** Why the response shows nothing about the case; absent where it does. */
  readonly unseen?: string | null
}

export interface Tried<One, Seen> {
  readonly one: One
  readonly seen: Seen
}

/** A violation that no case may show. */
export interface Breach<One, Seen> {
  readonly level: 'must' | 'should' | 'advisory'
  /** Completes "saw …"; null where the case shows no violation. */
  saw(seen: Seen, one: One): string | null
  readonly expected: string
  readonly fix: string | ((cases: readonly One[]) => string)
  readonly isShown?: true
}

export interface Attack<One extends Case, Seen extends Met> {
  /** Must be served before and after the cases. */
  control(): Promise<unknown>
  readonly cases: readonly One[]
  /** Joins what was seen and the names of the cases: "for a request with". */
  readonly of: string
  send(one: One): Promise<Seen>
  /** False: one by one, for a scripted double or calls that only their time assigns to a case. Else a few at a time. */
  readonly together?: false
  readonly breaches: readonly Breach<One, Seen>[]
  /** Judges what only all cases together show, before the last control. */
  judgeAll?(tried: readonly Tried<One, Seen>[]): Promise<void> | void
}

const namedAtMost = 12

/** Sends all cases between two controls, undecided ones once more, and judges what each of them met. */
export async function attack<One extends Case, Seen extends Met>(
  judge: Judge,
  { control, cases, of, send, together, breaches, judgeAll }: Attack<One, Seen>,
): Promise<void> {
  await judge.sandwich(control, async () => {
    const tried = await sendCases(cases, send, together === false ? 1 : fewAtOnce)
    judgeCases(judge, of, tried, breaches)
    await judgeAll?.(tried)
  })
}

/** Returns the results in the order of the cases. A part that decides no case is asked once more for the first alone. */
async function sendCases<One, Seen extends Pick<Met, 'isUndecided'>>(
  cases: readonly One[],
  send: (one: One) => Promise<Seen>,
  atOnce: number,
): Promise<Tried<One, Seen>[]> {
  const trySending = async (one: One) => ({ one, seen: await send(one) })
  const tried = await inBatches(cases, atOnce, trySending)
  const open = tried.filter(({ seen }) => seen.isUndecided)
  const isSilentToAll = open.length === tried.length
  const repeated = open.slice(0, isSilentToAll ? 1 : open.length).map(({ one }) => one)
  const again = new Map((await inBatches(repeated, atOnce, trySending)).map((two) => [two.one, two]))
  return tried.map((first) => again.get(first.one) ?? first)
}

/** Judges each breach over all decided cases, and says which cases decided nothing. */
export function judgeCases<One extends Case, Seen extends Met>(
  judge: Judge,
  of: string,
  tried: readonly Tried<One, Seen>[],
  breaches: readonly Breach<One, Seen>[],
): void {
  const undecided = tried.filter(({ seen }) => seen.isUndecided)
  const decided = tried.filter(({ seen }) => !seen.isUndecided)
  if (undecided.length > 0) {
    const reason = `a rate limit, a gateway error or no response ${of} ${namesOf(undecided)}`
    judge[decided.length === 0 ? 'lost' : 'undecided'](reason, evidenceOf(undecided))
  }
  const unseen = Map.groupBy(decided, ({ seen }) => seen.unseen ?? null)
  for (const [reason, alike] of unseen)
    if (reason !== null) judge.untested(`${reason} ${of} ${namesOf(alike)}`)
  const shown = unseen.get(null) ?? []
  if (shown.length === 0) return
  for (const { level, saw, expected, fix, isShown } of breaches) {
    const sights = Map.groupBy(shown, ({ one, seen }) => saw(seen, one))
    sights.delete(null)
    const found = [...sights.values()].flat()
    judge[level](found.length === 0, {
      saw: [...sights].map(([sight, alike]) => `${sight} ${of} ${namesOf(alike)}`).join('; '),
      expected,
      fix: typeof fix === 'string' ? fix : fix(found.map(({ one }) => one)),
      evidence: evidenceOf(found.slice(0, namedAtMost)),
      ...(isShown && { isShown }),
    })
  }
}

/** "a, b and 3 more". */
export function listNames(names: readonly string[], most = namedAtMost): string {
  const shown = names.slice(0, most)
  const more = names.length - shown.length
  return new Intl.ListFormat('en').format(more === 0 ? shown : [...shown, `${more} more`])
}

function namesOf(tried: readonly { readonly one: Case }[]): string {
  return listNames(tried.map(({ one }) => one.name))
}

function evidenceOf(tried: readonly { readonly seen: Met }[]): string[] {
  return tried.flatMap(({ seen }) => seen.evidence)
}
