import { TwotokenError } from '../base/errors.ts'
import { type KeyPath, pathKey, showPath } from './path.ts'

export interface Problem {
  readonly path: KeyPath
  readonly sentence: string
  readonly about: 'configuration' | 'credential'
}

export interface Origin {
  /** The file as it was named; absent for a configuration that was made in memory. */
  readonly file?: string
  /** The line of a key, or of the nearest mapping above it that the file holds. */
  lineOf(path: KeyPath): number
}

/** All problems as one error: each on a line of its own that an editor can jump to. */
export function configurationError(problems: readonly Problem[], origin: Origin): TwotokenError {
  const first = new Map<string, Problem>()
  for (const problem of problems)
    if (!first.has(pathKey(problem.path))) first.set(pathKey(problem.path), problem)
  const lines = [...first.values()]
    .map((problem) => ({ ...problem, line: origin.lineOf(problem.path) }))
    .toSorted((left, right) => left.line - right.line)
    .map(({ path, sentence, line }) => {
      const place = origin.file === undefined ? '' : `${origin.file}:${line}: `
      return `${place}${path.length === 0 ? 'the configuration' : showPath(path)} ${sentence}`
    })
  const code = problems.every((problem) => problem.about === 'credential') ? 'credential' : 'configuration'
  const head = lines.length === 1 ? '' : `${lines.length} problems in the configuration:\n`
  return new TwotokenError(code, head + lines.join('\n'))
}
