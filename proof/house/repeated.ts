import type { Source } from './sources.ts'

/** Shorter runs of equal lines are the shape of the language: imports, ends of calls, lists of parameters. */
const leastLines = 8

/** Counts the lines in runs of at least eight that stand elsewhere as well, without blanks and imports. */
export function countRepeatedLines(sources: readonly Source[]): number {
  const places = new Map<string, string[]>()
  for (const source of sources) {
    const lines = linesOf(source)
    for (let at = 0; at + leastLines <= lines.length; at++) {
      const run = lines.slice(at, at + leastLines).join('\n')
      places.set(run, [...(places.get(run) ?? []), ...namesOf(source.path, at)])
    }
  }
  const repeated = [...places.values()].filter((names) => names.length > leastLines)
  return new Set(repeated.flat()).size
}

function linesOf({ text }: Source): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('import '))
}

function namesOf(path: string, at: number): string[] {
  return Array.from({ length: leastLines }, (_, index) => `${path}:${at + index}`)
}
