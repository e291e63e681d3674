import { expect, test } from 'vitest'
import { describeCatalogue } from '../../catalogue/describe.ts'
import { type ListedCheck, readDescribedCatalogue } from '../../catalogue/described.ts'
import { explainCheck } from '../../catalogue/explanation.ts'
import { loadNamedVariants } from '../../catalogue/load-variants.ts'
import { openStreams } from '../testing/streams.ts'
import { formatExplanation, printExplanation } from './explain.ts'
import { listText } from './list.ts'

const check: ListedCheck = {
  id: 'SIG-98',
  role: 'signaling',
  level: 'MUST',
  kind: 'rejects',
  clauses: ['1.3', '4.3'],
  title: 'rejects an unsigned calling token',
  why: 'Why it matters.',
  how: { does: ['A long text '.repeat(20).trim()], fails: ['A failure.'] },
  needs: ['signaling', 'testKey'],
  mints: 12,
  catches: { 'takes it: all the same': { as: 'fail' }, 'only mumbles': { as: 'warn' } },
}
const other: ListedCheck = {
  ...check,
  id: 'MINT-97',
  role: 'mint',
  level: 'INFO',
  clauses: [],
  mints: 0,
  catches: {},
}

test('the list has one line per requirement under its part', () => {
  expect(listText([other, check])).toBe(
    'mint\n  MINT-97  INFO     –            –  rejects an unsigned calling token\n\nsignaling\n  SIG-98   MUST     1.3, 4.3    12  rejects an unsigned calling token\n\nThe number before the title is the maximum of calling tokens issued, 12 in total.\n2 requirements, proved with 2 broken variants. Details: npx twotoken explain ID\n',
  )
})

test('an explanation says clause, level, reason, probe, needs and broken variants', () => {
  const text = formatExplanation(explainCheck(check, false))
  expect(text).toMatch(/^SIG-98 · signaling rejects an unsigned calling token\nMUST, clauses 1\.3, 4\.3\n/)
  expect(text).toContain('Why\n  Why it matters.\n')
  expect(text).toContain('\n\nFails\n  - A failure.\n\nNeeds\n')
  expect(text).toContain('  - signaling.url and signaling.profile (or adapter)\n')
  expect(text).toContain('(or testKey declared under\n    absent)')
  expect(text).toContain('  - at most 12 calling tokens\n')
  expect(text).toContain(
    'Proof\n  It catches 2 broken variants of the reference: twotoken explain SIG-98 --variants lists',
  )
  const listed = formatExplanation(explainCheck(check, true))
  expect(listed).toContain('  - takes it: all the same → fail (SIG-98/takes-it-all-the-same)\n')
  expect(listed).toContain('  - only mumbles → warn (SIG-98/only-mumbles)\n')
  expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100)
})

test('explain lists the requirements about a word', async () => {
  const { written, ...streams } = openStreams()
  expect(await printExplanation({ id: 'caching' }, streams)).toBe(0)
  expect(written.stdout).toMatch(/^BACK-12 {2}serves the configured method without cross-user caching\n/)
  expect(written.stdout).toMatch(/^BACK-10 {2}mints per request/m)
  await expect(printExplanation({ id: 'zeppelin' }, streams)).rejects.toMatchObject({ code: 'usage' })
})

test('explain describes every requirement and invariant, and no two variants have the same name', async () => {
  const { checks, invariants } = await describeCatalogue()
  expect(await readDescribedCatalogue(), 'the catalogue changed: run "npm run build"').toEqual(
    JSON.parse(JSON.stringify({ checks, invariants })),
  )
  for (const { id, standards = [] } of [...checks, ...invariants]) {
    const { written, ...streams } = openStreams()
    expect(await printExplanation({ id }, streams)).toBe(0)
    expect(written.stdout.startsWith(`${id} · `)).toBe(true)
    for (const standard of standards) expect(written.stdout).toContain(`  - ${standard}\n`)
  }
  const broken = [...(await loadNamedVariants()).keys()].filter((name) => /^[A-Z]+-\d+\//.test(name))
  expect(broken).toHaveLength(checks.flatMap(({ catches }) => Object.keys(catches)).length)
})
