import { ControlLost } from '../../src/base/inconclusive.ts'

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
