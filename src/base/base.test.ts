import { readFile } from 'node:fs/promises'
import { expect, test, vi } from 'vitest'
import { findGarbling } from './garbled-id.ts'
import { createStandstillMeter } from './standstill.ts'
import { exitCodeOfOutcome, type Judged, outcomeOf, type Verdict } from './verdict.ts'
import { documentation, version } from './version.ts'

test.each([
  ['m\ufffdller', 'müller', 'U+FFFD for letters'],
  ['m\ufffd\ufffdller', 'müller', 'U+FFFD for letters'],
  ['\ufffd', 'ü', 'U+FFFD for letters'],
  ['mÃ¼ller', 'müller', 'the UTF-8 bytes of letters, each as one character'],
  ['â‚¬1', '€1', 'the UTF-8 bytes of letters, each as one character'],
  ['m?ller', 'müller', 'question marks for letters'],
  ['ü?', 'ü电', 'question marks for letters'],
  ['??', '\u{1f600}', 'question marks for letters'],
  ['acme%7Cm%c3%bcller', 'acme|müller', 'the percent-encoding of characters'],
  ['ann+b%2B', 'ann b+', 'the percent-encoding of characters'],
])('%j has %j garbled', (minted, wanted, how) => {
  expect(findGarbling(minted, wanted)).toBe(how)
})

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

/** Our own stack, as Node 22 gets it. */
async function ours(): Promise<AsyncDisposableStack> {
  const native = globalThis.AsyncDisposableStack
  Reflect.deleteProperty(globalThis, 'AsyncDisposableStack')
  try {
    vi.resetModules()
    await import('./async-disposable-stack.ts')
    expect(globalThis.AsyncDisposableStack).not.toBe(native)
    return new globalThis.AsyncDisposableStack()
  } finally {
    globalThis.AsyncDisposableStack = native
  }
}

test('a stack releases in reverse order, and each once', async () => {
  const stack = await ours()
  const released: string[] = []
  stack.use({ [Symbol.asyncDispose]: async () => void released.push('used') })
  stack.use({ [Symbol.dispose]: () => void released.push('used at once') })
  expect(stack.use(null)).toBe(null)
  expect(stack.adopt('value', (value) => void released.push(value))).toBe('value')
  stack.defer(() => void released.push('deferred'))
  expect(stack.disposed).toBe(false)
  await stack.disposeAsync()
  await stack[Symbol.asyncDispose]()
  expect(released).toEqual(['deferred', 'value', 'used at once', 'used'])
  expect(stack.disposed).toBe(true)
  expect(() => stack.defer(() => undefined)).toThrow(ReferenceError)
})

test('a stack releases the rest where one release fails, and says so', async () => {
  const released: string[] = []
  const stack = await ours()
  stack.defer(() => void released.push('first'))
  stack.defer(() => Promise.reject(new Error('stuck')))
  await expect(stack.disposeAsync()).rejects.toThrow('stuck')
  expect(released).toEqual(['first'])
})
