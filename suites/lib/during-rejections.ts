import { awaitedLater } from '../../src/base/awaited-later.ts'
import type { Clock } from '../../src/base/clock.ts'
import { ControlLost } from '../../src/base/inconclusive.ts'

interface Course {
  /** So many rejections; where those are slow or limited, at least `least`, and then for `longestMs` at most. */
  readonly times: number
  readonly least: number
  readonly longestMs: number
  /** So many wait for their answer at a time; where those are slow, one more begins every `nextMs`. */
  readonly atOnce: number
  readonly nextMs?: number
  /** So many ordinary calls, at equal distances. */
  readonly calls: number
}

export async function callDuringRejections<Call>(
  clock: Pick<Clock, 'monotonic' | 'until'>,
  { times, least, longestMs, atOnce, nextMs, calls }: Course,
  reject: () => Promise<unknown>,
  call: () => Promise<Call>,
): Promise<Call[]> {
  const made: Promise<Call>[] = []
  const underWay = new Set<Promise<unknown>>()
  const begun = clock.monotonic()
  const spent = () => clock.monotonic() - begun
  /** By the rejections, or by the time where those are slow. */
  const isDue = (count: number) => {
    const part = (made.length + 1) / calls
    return (
      made.length < calls &&
      (count + 1 >= times * part || spent() >= (longestMs * part * calls) / (calls + 1))
    )
  }
  const isEnough = (count: number) => made.length === calls && count >= least && spent() >= longestMs
  for (let count = 0; count < times && !isEnough(count); count += 1) {
    if (isDue(count)) made.push(awaitedLater(call()))
    const one = awaitedLater(reject().finally(() => underWay.delete(one)))
    underWay.add(one)
    if (underWay.size < atOnce) continue
    const next = nextMs === undefined ? [] : [clock.until(clock.monotonic() + nextMs)]
    await Promise.race([...underWay, ...next])
  }
  await Promise.all(underWay)
  return Promise.all(made)
}

interface Asked<Answer> {
  askFor(userId: string): Promise<Answer>
  /** For another user each time: the next one may be banned as well. */
  askForOther(): Promise<Answer>
  isServed(answer: Answer): boolean
  /** A decision of the service, and no fault, no limit and no silence. */
  isRejected(answer: Answer): boolean
}

const others = 3

/**
 * The second of two rejections of a user who had never been rejected, before and after others were served; null where there is
 * none.
 * @throws ControlLost where others are neither served nor rejected
 */
export async function findBanned<Answer extends { readonly exchange: string }>(
  users: readonly string[],
  { askFor, askForOther, isServed, isRejected }: Asked<Answer>,
): Promise<Answer | null> {
  const isServing = async () => {
    let last = await askForOther()
    for (let time = 1; time < others && !isServed(last); time += 1) last = await askForOther()
    if (!isServed(last) && !isRejected(last))
      throw new ControlLost('no request is decided behind rejections of others', [last.exchange])
    return isServed(last)
  }
  for (const userId of users) {
    if (!isRejected(await askFor(userId))) continue
    // Everyone is rejected: a ban of this address is judged as such.
    if (!(await isServing())) return null
    const again = await askFor(userId)
    if (isRejected(again) && (await isServing())) return again
  }
  return null
}
