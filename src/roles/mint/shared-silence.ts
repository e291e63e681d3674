import { AsyncLocalStorage } from 'node:async_hooks'
import { awaitedLater } from '../../base/awaited-later.ts'

/** Commands for the double. */
interface Scripted {
  answer(script: () => 'hang'): void
}

/** Actions of one check with a mint that becomes silent. */
export interface SilentTurn<Double, T> {
  /** Meanwhile the double does what this check tells it to. */
  before(double: Double): Promise<void>
  /**
   * Meanwhile the double leaves every call without an answer. `letOthersAsk` says that the own calls have arrived; those
   * of others come after that, or after its end.
   */
  during(double: Double, letOthersAsk: () => void): Promise<T>
  /** Asks after the others, since it may leave the backend without connections or workers. */
  readonly strains?: true
}

/**
 * One silence for all checks that join it at the same time: a silence lasts as long as the backend waits for its mint,
 * which a run should wait for once.
 * @param hold has the double to itself for `run`
 */
export function createSharedSilence<Double extends Scripted>(
  hold: (run: (double: Double) => Promise<void>) => Promise<void>,
) {
  let joined: Member<Double>[] = []
  let whole = Promise.resolve()
  return {
    /** Ends with the whole silence, by the result of this turn. */
    async join<T>(turn: SilentTurn<Double, T>): Promise<T> {
      const member = createMember(turn)
      joined.push(member)
      if (joined.length === 1)
        whole = hold(async (double) => {
          // The others join before this goes on.
          await Promise.resolve()
          const members = joined
          joined = []
          await keepSilence(double, members)
        })
      await whole
      return await member.result
    },
  }
}

async function keepSilence<Double extends Scripted>(
  double: Double,
  members: readonly Member<Double>[],
): Promise<void> {
  for (const { before } of members) await before(double)
  double.answer(() => 'hang')
  const straining = members.filter(({ strains }) => strains)
  const others = members.filter(({ strains }) => !strains)
  for (const { during } of [...others, ...straining]) await during(double)
  await Promise.allSettled(members.map(({ result }) => result))
}

interface Member<Double, T = unknown> {
  readonly strains: boolean
  before(double: Double): Promise<void>
  /** Ends once others may ask. */
  during(double: Double): Promise<void>
  readonly result: Promise<T>
}

function createMember<Double, T>(turn: SilentTurn<Double, T>): Member<Double, T> {
  // Actions of a member are evidence of its own check.
  const asItself = AsyncLocalStorage.snapshot()
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const result = awaitedLater(promise)
  let isReady = false
  return {
    strains: turn.strains === true,
    async before(double) {
      try {
        await asItself(() => turn.before(double))
        isReady = true
      } catch (error) {
        reject(error)
      }
    },
    async during(double) {
      if (!isReady) return
      const others = Promise.withResolvers<void>()
      const mine = asItself(() => turn.during(double, others.resolve))
      void mine.then(resolve, reject).then(others.resolve)
      await others.promise
    },
    result,
  }
}
