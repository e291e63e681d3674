import { onOneLine } from '../base/printable.ts'
import type { CheckResult } from '../requirement/run.ts'
import type { RunResults } from './results.ts'

/** The command that judges one requirement again, with the same generated ids; null where none does. */
export function rerunCommand(
  { id, role, story }: Pick<CheckResult, 'id' | 'role' | 'story'>,
  run: Pick<RunResults, 'config' | 'seed'>,
  folder = `twotoken-results/explore-${role}`,
): string | null {
  const config = run.config === undefined ? ' --reference' : ` --config ${quoted(onOneLine(run.config))}`
  if (id.startsWith('EXP-'))
    return `npx twotoken explore ${role}${config} ${story === undefined ? `--seed ${run.seed}` : `--replay ${quoted(onOneLine(`${folder}/${storyFile(id)}`))}`}`
  if (/^[A-Z]+-\d+[A-Z]?$/.test(id)) return `npx twotoken run --only ${id}${config} --seed ${run.seed}`
  // An interaction of a pact is verified with its provider, which only a configuration describes.
  return id.startsWith('PACT') && run.config !== undefined ? `npx twotoken verify ${role}${config}` : null
}

export function storyFile(id: string): string {
  return `story-${id}.json`
}

function quoted(word: string): string {
  return /^[\w./:@%+=-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
