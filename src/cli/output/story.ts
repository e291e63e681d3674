import { onOneLine } from '../../base/printable.ts'
import type { CheckResult } from '../../requirement/run.ts'
import { wrapText } from './wrap-text.ts'

/** The stories that broke an invariant, each as numbered steps; empty where there is none. */
export function storiesText(checks: readonly CheckResult[]): string {
  return checks.flatMap(({ id, story }) => (story === undefined ? [] : [storyText(id, story)])).join('')
}

function storyText(id: string, { opening, told }: NonNullable<CheckResult['story']>): string {
  const steps = told.map(({ did, came }, index) => {
    const became = came.length === 0 ? '' : ` → ${came.join('; ')}`
    return wrapText(onOneLine(`${did}${became}`), `  ${index + 1}. `.padEnd(6), '      ')
  })
  return `The story of ${id}\n${wrapText(onOneLine(opening), '      ', '      ')}\n${steps.join('\n')}\n\n`
}
