import { version } from '../version.ts'

export function renderSelfTestJson({ cells }: SelfTest): string {
  const report = { tool: { name: 'twotoken', version }, selfTest: { ...countsOf(cells), cells } }
  return `${JSON.stringify(report, null, 2)}\n`
}

/** A line for each format, then every canary that was missed or not planted. */
export function renderSelfTestText({ cells }: SelfTest): string {
  const { planted, found, missed, unplanted } = countsOf(cells)
  const lines = [...Map.groupBy(cells, ({ format }) => format)].map(([name, group]) => {
    const counts = countsOf(group)
    const rest = counts.unplanted === 0 ? '' : `, ${counts.unplanted} not planted`
    return `${counts.missed === 0 ? 'ok    ' : 'MISSED'}  ${name}: ${counts.found} of ${counts.planted} found${rest}`
  })
  const told = (wanted: SelfTestCell['status'], label: string) =>
    cells
      .filter(({ status }) => status === wanted)
      .map(({ format, encoding, location, reason }) => {
        const why = reason === undefined ? '' : `: ${reason}`
        return `${label}: ${format} (${encoding}) in ${location}${why}`
      })
  return [
    ...lines,
    ...told('missed', 'missed'),
    ...told('unplanted', 'not planted'),
    `${found} of ${planted} planted canaries found, ${missed} missed, ${unplanted} could not be planted`,
    '',
  ].join('\n')
}

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
