import { TwotokenError } from '../base/errors.ts'

/**
 * Runs a command until it ends or is interrupted.
 * @throws TwotokenError `interrupted` instead of whatever the interruption made fail
 */
export async function untilInterrupted(
  onInterrupt: (callback: () => void) => void,
  act: (signal: AbortSignal) => Promise<number>,
): Promise<number> {
  const interruption = new AbortController()
  onInterrupt(() => interruption.abort())
  try {
    return await act(interruption.signal)
  } catch (error) {
    if (interruption.signal.aborted) throw new TwotokenError('interrupted', 'interrupted', error)
    throw error
  }
}
