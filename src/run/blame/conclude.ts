import type { Verdict } from '../../base/verdict.ts'
import type { Blame, BlameTry, ReplaceablePart } from '../../requirement/blame.ts'

/** Facts besides the table on which a conclusion rests. */
export interface Circumstances {
  /** The parts that the requirement rests on. */
  readonly concerned: readonly ReplaceablePart[]
  /**
   * True where signaling as it is accepts an ordinary token; null where the requirement does not rest on
   * signaling.
   */
  readonly acceptsTokens: boolean | null
}

const healed: readonly Verdict[] = ['pass', 'warn', 'info']

export function isHealed({ verdict }: BlameTry): boolean {
  return verdict !== null && healed.includes(verdict)
}

export function isBroken({ verdict }: BlameTry): boolean {
  return verdict === 'fail'
}

/**
 * Concludes from the table. A part is named only where every other one was replaced in vain. A part that
 * could not be tried is not ruled out.
 */
export function conclude(tries: readonly BlameTry[], circumstances: Circumstances): Blame {
  return { ...judge(tries, circumstances), tries }
}

function judge(
  tries: readonly BlameTry[],
  { concerned, acceptsTokens }: Circumstances,
): Omit<Blame, 'tries'> {
  const of = (count: number) => tries.filter(({ replaced }) => replaced.length === count)
  const [again] = of(0)
  if (again === undefined || (!isBroken(again) && !isHealed(again)))
    return unknown('It could not be judged again.')
  if (isHealed(again))
    return unknown('It passed when it was judged again with nothing replaced: repeat the run.')
  const [all] = of(concerned.length)
  if (all !== undefined && isBroken(all))
    return {
      conclusion: 'none',
      parts: [],
      sentence:
        'It fails with nothing but references, too: none of the parts causes it. Check the rest of the configuration.',
    }
  const singles = of(1)
  const untried = singles
    .filter((one) => !isHealed(one) && !isBroken(one))
    .flatMap(({ replaced }) => replaced)
  const healing = singles.filter(isHealed).flatMap(({ replaced }) => replaced)
  if (healing.length > 0) return nameOne(healing, untried, acceptsTokens)
  if (untried.length > 0)
    return unknown(`It heals with no single replacement that was possible; ${untriedText(untried)}.`)
  if (all === undefined || !isHealed(all))
    return unknown(
      'It heals with no single replacement, and could not be judged with nothing but references.',
    )
  return namePair(tries, concerned)
}

function nameOne(
  healing: readonly ReplaceablePart[],
  untried: readonly ReplaceablePart[],
  acceptsTokens: boolean | null,
): Omit<Blame, 'tries'> {
  const [only] = healing
  if (healing.length > 1)
    return unknown(`It heals with the reference as ${either(healing)}: they disagree.`, healing)
  const heals = `It heals with the reference as ${both(healing)}`
  // Its profile may be wrong, or a claim of the mint that the specification does not name.
  if (only === 'signaling' && acceptsTokens === false)
    return unknown(
      `${heals}, but signaling accepts no token at all: check its profile and what it expects of the mint's claims.`,
      healing,
    )
  if (untried.length > 0) return unknown(`${heals}; ${untriedText(untried)}.`, healing)
  return {
    conclusion: 'part',
    parts: healing,
    sentence: `${heals}, and as no other part: change ${named(healing)}, or its description in the configuration.`,
  }
}

function namePair(tries: readonly BlameTry[], concerned: readonly ReplaceablePart[]): Omit<Blame, 'tries'> {
  const pairs = tries.filter(({ replaced }) => replaced.length === 2)
  const healing = pairs.filter(isHealed)
  const [pair] = healing
  if (pair === undefined || healing.length > 1 || !pairs.every((one) => isHealed(one) || isBroken(one))) {
    const shown = healing.map(({ replaced }) => both(replaced))
    return unknown(
      shown.length === 0
        ? `It heals only with the reference as ${both(concerned)}.`
        : `It heals with the reference as ${shown.join(', or as ')}, and the table does not tell more.`,
    )
  }
  const { replaced } = pair
  // The specification leaves the form of tokens to these two: the reference as one of them need not suit the other.
  if (replaced.includes('mint') && replaced.includes('signaling'))
    return unknown(`It heals with the reference as ${both(replaced)}: one of them, or each.`, replaced)
  return {
    conclusion: 'parts',
    parts: replaced,
    sentence: `It heals only with the reference as ${both(replaced)}: change each, or its description in the configuration.`,
  }
}

function unknown(sentence: string, parts: readonly ReplaceablePart[] = []): Omit<Blame, 'tries'> {
  return { conclusion: 'unknown', parts, sentence }
}

function untriedText(parts: readonly ReplaceablePart[]): string {
  return `${named(parts)} could not be replaced and ${parts.length === 1 ? 'is' : 'are'} not ruled out`
}

function named(parts: readonly ReplaceablePart[]): string {
  return parts.map((part) => (part === 'signaling' ? part : `the ${part}`)).join(' and ')
}

const both = (parts: readonly ReplaceablePart[]) => parts.join(' and ')
const either = (parts: readonly ReplaceablePart[]) => parts.join(' or as ')
