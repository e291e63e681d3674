import type { OpeningOf, Part, Parts } from './container-format.ts'
import type { Source } from './source.ts'

const mark = '!<arch>\n'
const headerBytes = 60
const longestName = 4096

/** Static libraries and Debian packages: headers of text, each before its file. */
export const ar: OpeningOf<'parts'> = {
  opens: 'parts',
  name: 'ar',
  begins: [Buffer.from(mark)],
  read: (source) => (isAr(source.read(0, mark.length)) ? readAr(source) : null),
  isHead: isAr,
}

function isAr(head: Buffer): boolean {
  return head.toString('latin1', 0, mark.length) === mark
}

function readAr(source: Source): Parts {
  const entries: Part[] = []
  const rest: [number, number][] = []
  let names: Buffer | null = null
  let covered = 0
  let at = mark.length
  let isWhole = true
  while (at < source.size) {
    const header = source.read(at, at + headerBytes).toString('latin1')
    const size = /^[ -~]{48}(\d+) *`\n$/.exec(header)?.[1]
    if (size === undefined) {
      isWhole = /^\0*$/.test(header)
      break
    }
    const start = at + headerBytes
    const end = start + Number(size)
    isWhole = end <= source.size
    const isNames = header.startsWith('// ')
    if (isNames) names = source.read(start, end)
    else {
      const { name, length } = nameIn(header, source, start, names)
      const from = Math.min(start + length, end, source.size)
      const to = Math.min(end, source.size)
      if (to > from) {
        entries.push({ name, start: from, end: to })
        rest.push([covered, from])
        covered = to
      }
    }
    if (!isWhole) break
    // At even places.
    at = end + (end % 2)
  }
  if (covered < source.size) rest.push([covered, source.size])
  return { entries, rest, isWhole }
}

/** Long names are in a table of their own (GNU), or before the bytes of their file, whose size counts them (BSD). */
function nameIn(header: string, source: Source, start: number, names: Buffer | null) {
  const field = header.slice(0, 16).trimEnd()
  const [, length] = /^#1\/(\d+)$/.exec(field) ?? []
  if (length !== undefined) {
    const long = source.read(start, start + Math.min(Number(length), longestName)).toString('utf8')
    return { name: long.replace(/\0.*$/s, ''), length: Number(length) }
  }
  const [, offset] = /^\/(\d+)$/.exec(field) ?? []
  if (offset !== undefined && names !== null) {
    const [long = ''] = names.toString('utf8', Number(offset), Number(offset) + longestName).split(/\/?\n/, 1)
    return { name: long, length: 0 }
  }
  return { name: field.length > 1 ? field.replace(/\/$/, '') : 'symbols', length: 0 }
}
