import { version } from '../version.ts'
import { countsOf, type SelfTest, type SelfTestCell } from './cells.ts'

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
