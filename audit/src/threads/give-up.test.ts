import { expect, test } from 'vitest'
import { createCollector } from '../model/collector.ts'
import { defaultLimits } from '../model/settings.ts'
import { createClaims } from './claims.ts'
import { giveUp } from './give-up.ts'
import type { Again, Task } from './orders.ts'
import type { Overrun } from './overrun.ts'

const walked = {
  given: 'dist',
  root: '/dist',
  files: [{ path: '/dist/a.zip', location: 'dist/a.zip', name: 'a.zip' }],
  otherNames: [],
}

function gaveUp(limit: Overrun, location: string, again: Again | null = null) {
  const collector = createCollector('ac_live_')
  const task: Task = { walked, claims: createClaims(1), takes: 'first', again }
  const next = giveUp(collector, task, { index: 0, location }, { kind: 'over', limit }, defaultLimits)
  return { next, gaps: collector.gaps().map(({ location, reason }) => `${location}: ${reason}`) }
}

test('an entry is first read as raw bytes, then not at all, and then the file is given up', () => {
  const entry = 'dist/a.zip!b.js'
  const first = gaveUp('time', entry)
  expect(first.gaps).toEqual([`${entry}: reading it takes longer than 20 s: read as raw bytes`])
  const second = gaveUp('memory', entry, first.next)
  expect(second.gaps).toEqual([`${entry}: reading it takes more than 1024 MB of memory: not read at all`])
  expect([...(second.next?.spared ?? [])]).toEqual([[entry, 'all']])
  const third = gaveUp('time', entry, second.next)
  expect(third).toEqual({
    next: null,
    gaps: [`${entry}: reading it takes longer than 20 s: not read to its end`],
  })
})

test.each<[Overrun, string]>([
  ['total', 'reading it takes longer than 20 s for each 10 MB'],
  ['findings', 'more than 100000 findings and gaps'],
])('the limit of a whole file (%s) gives the file up, and names it', (limit, reason) => {
  expect(gaveUp(limit, 'dist/a.zip!b.js')).toEqual({
    next: null,
    gaps: [`dist/a.zip: ${reason}: not read to its end`],
  })
})

test('a file is given up where it is not known what in it was read', () => {
  expect(gaveUp('time', '')).toEqual({
    next: null,
    gaps: ['dist/a.zip: reading it takes longer than 20 s: not read to its end'],
  })
})
