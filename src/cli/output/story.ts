import { onOneLine } from '../../base/printable.ts'
import { rerunCommand } from '../../reports/rerun-command.ts'
import type { RunResults } from '../../reports/results.ts'
import type { CheckResult } from '../../requirement/run.ts'
import { wrapText } from './wrap-text.ts'

/**
 * The stories that broke an invariant, each as numbered steps with the command that tells it again; empty where there is
 * none.
 */
export function storiesText(run: RunResults, folder: string | undefined): string {
  return run.checks
    .flatMap((check) =>
      check.story === undefined ? [] : [storyText(check, check.story, rerunCommand(check, run, folder))],
    )
    .join('')
}

function storyText(
  { id }: CheckResult,
  { opening, told }: NonNullable<CheckResult['story']>,
  again: string | null,
): string {
  const steps = told.map(({ did, came }, index) => {
    const became = came.length === 0 ? '' : ` → ${came.join('; ')}`
    return wrapText(onOneLine(`${did}${became}`), `  ${index + 1}. `.padEnd(6), '      ')
  })
  return `The story of ${id}\n${wrapText(onOneLine(opening), '      ', '      ')}\n${steps.join('\n')}\n      replay: ${again}\n\n`
}
