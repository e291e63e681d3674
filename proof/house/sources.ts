import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { parseSync } from 'vite'

export interface Source {
  /** Relative to the repository, with `/`. */
  readonly path: string
  readonly text: string
}

/** Lines from which a function no longer fits into a head. */
export const longFunctionLines = 100

const root = join(import.meta.dirname, '../..')

/** Lists the TypeScript sources that git tracks or would track, those of tests included. */
export function listSources(): Source[] {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.ts'], {
    cwd: root,
    encoding: 'utf8',
  })
  return listed
    .split('\n')
    .filter((path) => path !== '' && !path.endsWith('.d.ts'))
    .flatMap((path) => {
      try {
        return [{ path, text: readFileSync(join(root, path), 'utf8') }]
      } catch {
        // Git still lists a file that was deleted and not committed.
        return []
      }
    })
}

/** Tells tests, and the helpers that only tests share, from the product. */
export function isTest(path: string): boolean {
  return /\.(?:test|docker)\.ts$/.test(path) || path.includes('/testing/')
}

/** Tells the sources of the two commands, without what proves and judges. */
export function isProduct({ path }: Source): boolean {
  return /^(?:src|audit\/src)\//.test(path) && !isTest(path)
}

export interface Comment {
  readonly line: number
  /** Without its marks, on one line. */
  readonly text: string
}

/** Reads the comments of a file; consecutive `//` lines are one comment. */
export function commentsOf({ path, text }: Source): Comment[] {
  const lineOf = createLineFinder(text)
  const comments: (Comment & { readonly isLine: boolean; readonly lastLine: number })[] = []
  for (const { type, value, start, end } of parseSync(path, text).comments) {
    const [line, lastLine] = [lineOf(start), lineOf(end)]
    const words = value
      .split('\n')
      .map((one) => one.replace(/^\s*\*?\s*/, '').trim())
      .join(' ')
      .trim()
    const before = comments.at(-1)
    const isLine = type === 'Line'
    if (isLine && before?.isLine === true && before.lastLine === line - 1)
      comments.splice(-1, 1, { ...before, text: `${before.text} ${words}`, lastLine })
    else comments.push({ line, lastLine, text: words, isLine })
  }
  return comments.map(({ line, text: words }) => ({ line, text: words }))
}

/** Gives the number of the line in which an offset is, from 1. */
export function createLineFinder(text: string): (offset: number) => number {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return (offset) => {
    let [low, high] = [0, starts.length]
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if ((starts[middle] ?? 0) <= offset) low = middle
      else high = middle
    }
    return low + 1
  }
}

/** Lists the files that a file imports, types included, as paths of the repository. */
export function importedBy({ path, text }: Source): string[] {
  return [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map(([, specifier = '']) =>
    normalize(join(dirname(path), specifier)),
  )
}
