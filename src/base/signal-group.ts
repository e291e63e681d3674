/** Windows has no process groups. */
export const hasGroups = process.platform !== 'win32'

/**
 * Sends a signal to a process that was started with `detached: hasGroups`, and to all that it has started.
 * @returns whether one is left that received it
 */
export function signalGroup(pid: number | undefined, signal: 'SIGTERM' | 'SIGKILL' | 0): boolean {
  if (pid === undefined) return false
  try {
    return process.kill(hasGroups ? -pid : pid, signal)
  } catch {
    // None is left, or macOS has not collected one that has ended.
    return false
  }
}
