import { printable } from '../model/location.ts'

export function countsOf(cells: readonly SelfTestCell[]) {
  const count = (status: SelfTestCell['status']) => cells.filter((cell) => cell.status === status).length
  const [found, missed, unplanted] = [count('found'), count('missed'), count('unplanted')]
  return { planted: found + missed, found, missed, unplanted }
}

/** Result of one canary. */
export interface SelfTestCell {
  readonly format: string
  readonly slot: string
  readonly encoding: string
  /** The kinds of containers around the file, outermost first; empty for a file of its own. */
  readonly container: readonly string[]
  /** The file that it was planted into. */
  readonly location: string
  readonly status: 'found' | 'missed' | 'unplanted'
  /** Rule and decoder of its finding. */
  readonly rule?: string
  readonly decoder?: string
  readonly reason?: string
}

/** A file that nothing was planted into. */
export function unplanted(location: string, reason: string): SelfTestCell {
  return {
    format: 'file',
    slot: 'contents',
    encoding: 'plain',
    container: [],
    location: printable(location),
    status: 'unplanted',
    reason,
  }
}

export interface SelfTest {
  readonly cells: readonly SelfTestCell[]
}
