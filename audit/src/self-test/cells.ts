export function countsOf(cells: readonly SelfTestCell[]) {
  const count = (status: SelfTestCell['status']) => cells.filter((cell) => cell.status === status).length
  const [found, missed, unplanted] = [count('found'), count('missed'), count('unplanted')]
  return { planted: found + missed, found, missed, unplanted }
}

/** Result of one canary. */
export interface SelfTestCell {
  readonly format: string
  readonly encoding: string
  /** The file that it was planted into, with the containers around it. */
  readonly location: string
  readonly status: 'found' | 'missed' | 'unplanted'
  /** Rule and decoder of its finding. */
  readonly rule?: string
  readonly decoder?: string
  readonly reason?: string
}

export interface SelfTest {
  readonly cells: readonly SelfTestCell[]
}
