/** Ranges of a text that are harmless as a whole: times, addresses, places in a file, members of a key, tags. */
export interface Range {
  readonly start: number
  readonly end: number
}

interface Pattern {
  readonly find: RegExp
  /** So many of them tell a reader enough; in more, a peer could tell something else. */
  readonly most: number
}

const months = 'Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec'
const clock = '[0-2]\\d:[0-5]\\d(?::[0-5]\\d(?:[.,]\\d{1,6})?)?'

const patterns: readonly Pattern[] = [
  {
    // 2026-11-25T04:49:00.123Z
    find: new RegExp(
      `\\b20\\d\\d[-/][01]\\d[-/][0-3]\\d(?:[T ]${clock}(?: ?(?:Z|[+-]\\d\\d:?\\d\\d))?)?(?!\\w)`,
      'g',
    ),
    most: 4,
  },
  {
    // 25 Nov 2026 04:49:00 +0000, as HTTP and logs of servers have it
    find: new RegExp(
      `\\b[0-3]?\\d[ /-](?:${months})[ /-]20\\d\\d(?:[ :]${clock}(?: [+-]\\d{4})?)?(?!\\w)`,
      'g',
    ),
    most: 4,
  },
  // 04:49:00, once in a line of a log
  { find: /(?<![\w:.])[0-2]\d:[0-5]\d:[0-5]\d(?:[.,]\d{3})?(?![\w:])/g, most: 1 },
  // CLI-01-1: a requirement, and a file of it
  {
    find: /(?<!\w)(?:MINT|BACK|SIG|FLOW|CLI|PKG|PACT|EXP|STORY)(?:-[A-Z]{3,9})?-\d{1,2}(?:-\d)?(?![\w-])/g,
    most: 20,
  },
  // 127.0.0.1:8080
  { find: /(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?(?![\w.])/g, most: 3 },
  // app.js:12:34, index.ts(12,34), views.py", line 40, (UserController.java:52)
  {
    find: /(?<=\.(?:js|mjs|cjs|jsx|ts|tsx|py|rb|java|kt|php|go|rs|cs|ex|exs|erl|vue)["')]?(?:, line |:|\())\d{1,5}(?:[:,]\d{1,5})?(?!\w)/g,
    most: 40,
  },
  { find: /(?<=\bline:? |\bcolumn:? |\bcol:? |\bposition:? |\bchar:? )\d{1,5}(?!\w)/g, most: 40 },
  // The numbers of a public key, {"kty":"EC","x":…
  { find: /(?<=")[xyne](?=":)/g, most: 12 },
  // A text, I see
  { find: /(?<=^|[a-z,.;:)] |["'(>])(?:a|A|I)(?= [a-z"'])/gm, most: 40 },
  // 12 s
  { find: /(?<=\d )[sh](?![\w])/g, most: 12 },
  // <b>, isn't
  { find: /(?<=<\/?)[abip](?=[\s/>])/g, most: 40 },
  { find: /(?<=[a-z]')(?:s|t|d|m|re|ll|ve)(?![\w'])/g, most: 12 },
]

export function harmlessRanges(text: string): Range[] {
  const ranges = patterns.flatMap(({ find, most }) => {
    const found: Range[] = []
    for (const { index, 0: match } of text.matchAll(find)) {
      if (found.length === most) break
      found.push({ start: index, end: index + match.length })
    }
    return found
  })
  return ranges.toSorted((left, right) => left.start - right.start)
}
