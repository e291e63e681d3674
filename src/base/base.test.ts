import { readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { withoutCommonWords } from './common-words.ts'
import { findGarbling } from './garbled-id.ts'
import { makeFolder } from './make-folder.ts'
import { createStandstillMeter } from './standstill.ts'
import { openTempFolder } from './temp-folder.ts'
import { exitCodeOfOutcome, type Judged, outcomeOf, type Verdict } from './verdict.ts'
import { documentation, version } from './version.ts'

test.each([
  ['müller', 'müller'],
  // The file itself may hold text that was read as Latin-1.
  ['müller', 'mÃ¼ller'],
  ['m\ufffdller', 'm\ufffdl'],
  ['mueller', 'müller'],
  ['muller', 'müller'],
  ['u-417', 'u-alice'],
  ['100%', '100'],
  ['100%41', '100%42'],
  ['ann+b', 'ann b'],
])('%j may be the id for which a file has %j', (minted, wanted) => {
  expect(findGarbling(minted, wanted)).toBe(null)
})

const of = (...verdicts: readonly Verdict[]): Judged[] => verdicts.map((verdict) => ({ verdict }))
const defect: Judged = { verdict: 'error', defect: true }

test.each<[string, readonly Judged[], number]>([
  ['nothing broken', of('pass', 'warn', 'info', 'not-applicable'), 0],
  ['a violation, whatever else there is', [...of('pass', 'fail', 'error', 'untested'), defect], 1],
  ['what a network kept from being judged', of('pass', 'error'), 3],
  ['what something is missing for', of('pass', 'untested'), 3],
  ['nothing that applies', of('not-applicable'), 3],
  ['nothing at all', [], 3],
  ['a defect of the suite beside what is missing', [...of('pass', 'untested', 'error'), defect], 4],
])('%s', (_, checks, code) => {
  expect(exitCodeOfOutcome[outcomeOf(checks)]).toBe(code)
})

test('the version and the address of the documentation are those of the package', async () => {
  const packed: unknown = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'))
  expect(packed).toMatchObject({ version, homepage: documentation })
})

/** Beats at these instants, and reads at the last. */
function worstOf(instants: readonly number[]): number {
  let now = 0
  const meter = createStandstillMeter(() => now)
  for (const instant of instants) {
    now = instant
    meter.beat()
  }
  return meter.worst()
}

test.each([
  ['beats that are a little late', [250, 530, 790, 1100], 0],
  ['a sleep, but for its interval', [250, 500, 3750, 4000], 3000],
  ['standstills that follow each other within a window', [250, 2500, 4750, 7000], 6000],
  [
    'standstills far from each other',
    [250, 2500, ...Array.from({ length: 100 }, (_, at) => 2500 + at * 250), 29_500],
    2000,
  ],
  ['a standstill that is longer than the window', [250, 60_000], 8000],
])('%s: the worst loss', (_, instants, lost) => {
  expect(worstOf(instants)).toBe(lost)
})

test('a standstill that still lasts is measured', () => {
  let now = 0
  const meter = createStandstillMeter(() => now)
  now = 5250
  expect(meter.worst()).toBe(5000)
})

test('the time lost between two instants leaves the rest of a standstill out', () => {
  let now = 0
  const meter = createStandstillMeter(() => now)
  for (now of [250, 500, 3750, 4000]) meter.beat()
  expect([meter.lostIn(0, 4000), meter.lostIn(1750, 2750), meter.lostIn(3800, 4000)]).toEqual([3000, 1000, 0])
})

test.each([
  ['answers 401|answers 500 with a token', 'answers 401|500 with a token'],
  ['the key when it answers 401|the key when it answers 403', 'the key when it answers 401|403'],
  ['answers 200|answers 200 with an error', 'answers 200|200 with an error'],
  ['a path with a dot|a query', 'a path with a dot|a query'],
  ['no session|no token', 'no session|no token'],
  ['one alone', 'one alone'],
])('%s is listed as %s', (names, listed) => {
  expect(withoutCommonWords(names.split('|')).join('|')).toBe(listed)
})

test('folders above are made, and one that exists is left', async () => {
  await using temp = await openTempFolder()
  const folder = join(temp.path, 'a/b/c')
  await makeFolder(folder)
  await makeFolder(folder)
  expect((await stat(folder)).isDirectory()).toBe(true)
})

test('a folder that cannot be made is an error at once', async () => {
  await using temp = await openTempFolder()
  const [file, dangling] = [join(temp.path, 'file'), join(temp.path, 'dangling')]
  await writeFile(file, '')
  await symlink(join(temp.path, 'missing'), dangling)
  for (const folder of [file, join(file, 'x'), dangling, join(dangling, 'x/y'), '/proc/x', '/proc/x/y'])
    await expect(makeFolder(folder), folder).rejects.toMatchObject({ syscall: 'mkdir' })
})
