import { version } from '../version.ts'
import { countsOf, type SelfTest, type SelfTestCell } from './cells.ts'

export function renderSelfTestJson({ cells }: SelfTest): string {
  const report = { tool: { name: 'twotoken', version }, selfTest: { ...countsOf(cells), cells } }
  return `${JSON.stringify(report, null, 2)}\n`
}

/** A line for each format in each kind of container, then every canary that was missed or not planted. */
export function renderSelfTestText({ cells }: SelfTest): string {
  const { planted, found, missed, unplanted } = countsOf(cells)
  const groups = Map.groupBy(cells, ({ format, container }) => `${format}, ${within(container)}`)
  const lines = [...groups].map(([name, group]) => {
    const counts = countsOf(group)
    const rest = counts.unplanted === 0 ? '' : `, ${counts.unplanted} not planted`
    return `${counts.missed === 0 ? 'ok    ' : 'MISSED'}  ${name}: ${counts.found} of ${counts.planted} found${rest}`
  })
  const reasons = Map.groupBy(
    cells.filter(({ status }) => status === 'unplanted'),
    ({ location, reason }) => `${location}: ${reason ?? ''}`,
  )
  return [
    ...lines,
    ...cells.filter(({ status }) => status === 'missed').map((cell) => `missed: ${cellText(cell)}`),
    ...[...reasons].map(([text, group]) => `not planted: ${group.map(cellShort).join(', ')} in ${text}`),
    `${found} of ${planted} planted canaries found, ${missed} missed, ${unplanted} could not be planted`,
    '',
  ].join('\n')
}

function within(container: readonly string[]): string {
  return container.length === 0 ? 'in no container' : `in ${container.join(' > ')}`
}

function cellShort({ slot, encoding }: SelfTestCell): string {
  return `${slot} (${encoding})`
}

function cellText(cell: SelfTestCell): string {
  return `${cell.format} ${cellShort(cell)} in ${cell.location}${cell.reason === undefined ? '' : `: ${cell.reason}`}`
}
