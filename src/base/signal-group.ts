/** Windows has no process groups. */
export const hasGroups = process.platform !== 'win32'

/** Signals a process that was started with `detached: hasGroups`, and all that it has started. True where one received it. */
export function signalGroup(pid: number | undefined, signal: 'SIGTERM' | 'SIGKILL' | 0): boolean {
  if (pid === undefined) return false
  try {
    return process.kill(hasGroups ? -pid : pid, signal)
  } catch {
    // None is left, or macOS has not collected one that has ended.
    return false
  }
}
