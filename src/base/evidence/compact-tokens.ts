import type { Found } from './decoded-search.ts'

/** Letters of base64url with dots between. */
const dotted = /[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]*)+/y
const letter = /[A-Za-z0-9_-]/
/** Beginnings of `{"`, `{ "` and `{`, line end, `"` in base64url. */
const headers = /e[wy][A-Za-z0-9_-]{6}/g

/** A run of letters between dots, by its place in the text. */
interface Segment {
  readonly start: number
  readonly end: number
}

/** The segments of every run of letters with dots between. */
function* dottedRuns(text: string): Generator<readonly Segment[]> {
  // A dot is rarer than a letter.
  for (let dot = text.indexOf('.'); dot >= 0; ) {
    let start = dot
    while (start > 0 && letter.test(text.charAt(start - 1))) start -= 1
    dotted.lastIndex = start
    const [run = ''] = dotted.exec(text) ?? []
    dot = text.indexOf('.', Math.max(dot + 1, start + run.length))
    if (run === '') continue
    yield run.split('.').map((part) => {
      const segment = { start, end: start + part.length }
      start = segment.end + 1
      return segment
    })
  }
}

/**
 * Every compact JWS or JWE, also cut ones with a header and one more part. Letters may stand before the header; the second
 * of five parts is empty where the key of a JWE is agreed on directly.
 */
export function* compactTokens(text: string): Generator<Found<string>> {
  for (const segments of dottedRuns(text))
    for (let index = 0; index + 1 < segments.length; index += 1) {
      const header = segments[index]
      const next = segments[index + 1]
      if (header === undefined || next === undefined) continue
      const start = headerStart(text, header)
      if (start === null) continue
      const parts = segments.slice(index + 1, index + 5)
      const isAgreed = next.start === next.end && parts.length === 4 && parts.slice(1).every(hasLetters)
      if (!isAgreed && next.end - next.start < 4) continue
      const end = parts.at(-1)?.end ?? next.end
      yield { start, end, what: text.slice(start, end) }
      index += parts.length
    }
}

function hasLetters({ start, end }: Segment): boolean {
  return end > start
}

/** Where a header that begins a JSON object begins in the segment. */
function headerStart(text: string, { start, end }: Segment): number | null {
  for (const { 0: letters, index } of text.slice(start, end).matchAll(headers))
    if (/^\{\s*"/.test(Buffer.from(letters, 'base64url').toString('latin1'))) return start + index
  return null
}
