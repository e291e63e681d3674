import { awaitedLater } from '../../src/base/awaited-later.ts'
import type { Clock } from '../../src/base/clock.ts'

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
