import { withoutCommonWords } from '../base/common-words.ts'
import type { Judge } from './judge.ts'

export interface Case {
  /** A noun: "an expired session". */
  readonly name: string
}

export interface Met {
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

export interface Breach<One, Seen> {
  readonly level: 'must' | 'should' | 'typical' | 'advisory'
  /** Completes "saw …"; null where the case shows no violation. */
  saw(seen: Seen, one: One): string | null
  readonly expected: string
  readonly fix: string | ((cases: readonly One[]) => string)
  readonly isShown?: true
}

interface Sending<One, Seen extends Pick<Met, 'isUndecided'>> {
  readonly cases: readonly One[]
  /** Sends an undecided case once more; such a try may have more time. */
  send(one: One, isAgain: boolean): Promise<Seen>
  /** False: one by one, for a scripted double or calls that only their time assigns to a case. Else so many, or a few, at a time. */
  readonly together?: false | number
  /** Says whether an undecided case is rejected that has the same result when it is sent once more. */
  recurs?(seen: Seen): boolean
}

export interface Attack<One extends Case, Seen extends Met> extends Sending<One, Seen> {
  /** Must be served before and after the cases. */
  control(): Promise<unknown>
  /** Joins what was seen and the names of the cases: "for a request with". */
  readonly of: string
  readonly breaches: Breach<One, Seen> | readonly Breach<One, Seen>[]
  /** Judges what only all cases together show, before the last control. */
  judgeAll?(tried: readonly Tried<One, Seen>[]): Promise<void> | void
}

const namedAtMost = 12

/** Sends all cases between two controls, undecided ones once more, and judges what each of them met. */
export async function attack<One extends Case, Seen extends Met>(
  judge: Judge,
  { control, of, breaches, judgeAll, ...sending }: Attack<One, Seen>,
): Promise<void> {
  await judge.sandwich(control, async () => {
    const tried = await sendCases(sending)
    judgeCases(judge, of, tried, [breaches].flat())
    await judgeAll?.(tried)
  })
}

/** Returns the results in the order of the cases. A part that decides no case, also not when asked again, is asked no more. */
export async function sendCases<One, Seen extends Pick<Met, 'isUndecided'>>({
  cases,
  send,
  together = fewAtOnce,
  recurs = () => false,
}: Sending<One, Seen>): Promise<Tried<One, Seen>[]> {
  // Many at once may meet a limit that few do not.
  const trySending = (some: readonly One[], isAgain: boolean) =>
    inBatches(some, isAgain ? Math.min(together || 1, fewAtOnce) : together || 1, async (one) => ({
      one,
      seen: await send(one, isAgain),
    }))
  const tried = await trySending(cases, false)
  const open = tried.filter(({ seen }) => seen.isUndecided).map(({ one }) => one)
  const again = await trySending(open.slice(0, 1), true)
  const isSilentToAll = open.length === tried.length && again.every(({ seen }) => seen.isUndecided)
  if (!isSilentToAll) again.push(...(await trySending(open.slice(1), true)))
  const last = new Map(again.map((two) => [two.one, two]))
  return tried.map((first) => {
    const { one, seen } = last.get(first.one) ?? first
    return { one, seen: { ...seen, isUndecided: seen.isUndecided && !recurs(seen) } }
  })
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
      isShown,
    })
  }
}

/** "a, b and 3 more"; equal names are one. */
export function listNames(given: readonly string[]): string {
  const names = [...new Set(given)]
  const shown = withoutCommonWords(names.slice(0, namedAtMost))
  const more = names.length - shown.length
  return new Intl.ListFormat('en').format(more === 0 ? shown : [...shown, `${more} more`])
}

function namesOf(tried: readonly { readonly one: Case }[]): string {
  return listNames(tried.map(({ one }) => one.name))
}

function evidenceOf(tried: readonly { readonly seen: Met }[]): string[] {
  return tried.flatMap(({ seen }) => seen.evidence)
}

/** Sends a few at a time: all at once may be an overload, which says nothing about what was sent. */
export async function inBatches<Item, Sent>(
  items: readonly Item[],
  size: number,
  send: (item: Item) => Promise<Sent>,
): Promise<Sent[]> {
  const sent: Sent[] = []
  for (let start = 0; start < items.length; start += size)
    sent.push(...(await Promise.all(items.slice(start, start + size).map(send))))
  return sent
}

/** A server with few workers answers these before a client gives up. */
const fewAtOnce = 5
