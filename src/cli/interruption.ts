import { TwotokenError } from '../base/errors.ts'

/** Runs a command to its end; throws `interrupted` instead of whatever an interruption made fail. */
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
