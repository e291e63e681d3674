import { expect, test } from 'vitest'
import { createSearcher } from './create-searcher.ts'
import { needlesFor } from './needles.ts'
import { searchPieces } from './search.ts'

const prefix = 'ac_live_'
const searcher = createSearcher(needlesFor(prefix), prefix)

test.each<[string, readonly string[], readonly number[]]>([
  ['in none', ['some', 'text', ''], []],
  ['in the first and the last', [`${prefix}one`, 'text', '', `a ${prefix}`], [0, 3]],
  ['as an escape, behind an empty one', ['', '\\x61\\x63', 'text'], [1]],
  ['across an end, which counts for the piece before it', ['some ac_', 'live_ text'], [0]],
])('tells the pieces in which anything is found: %s', (_, pieces, wanted) => {
  let end = 0
  const ends = pieces.map((piece) => (end += piece.length))
  expect([...searchPieces(searcher, Buffer.from(pieces.join('')), ends)].sort()).toEqual(wanted)
})
