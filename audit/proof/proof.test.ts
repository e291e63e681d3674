import { expect, test } from 'vitest'
import { createCanaries } from '../src/self-test/canary.ts'
import { createRandom } from '../src/testing/fuzz.ts'
import { type Built, createLedger } from './builder.ts'
import { askOracles, type Oracle } from './oracles.ts'
import { packings } from './packings.ts'
import { recallOf } from './recall.ts'
import { type Proof, renderProof, summaryOf } from './table.ts'
import { ToolFailure } from './tools.ts'

const next = createCanaries('ac_live_', createRandom(7))

function textFile(render: (key: string) => string): Built {
  const ledger = createLedger(next)
  const text = render(ledger.key('value'))
  return { format: 'text', name: 'a.txt', bytes: Buffer.from(text), planted: ledger.planted }
}

const [folder] = packings
const recall = async (...files: Built[]) => {
  if (folder === undefined) throw new Error('there is no packing')
  return await recallOf(files, folder, '/nowhere')
}

test('a present key counts as found, and an absent one as missed', async () => {
  const { cells, accusations } = await recall(textFile((key) => `k=${key}`))
  expect(cells).toMatchObject([{ isFound: true, packing: 'folder' }])
  expect(accusations).toEqual([])
  expect((await recall(textFile(() => 'nothing'))).cells).toMatchObject([{ isFound: false, seen: 'nothing' }])
})

test('a key of another length than the planted one is a miss and an accusation', async () => {
  const { cells, accusations } = await recall(textFile((key) => `k=${key}X`))
  expect(cells).toMatchObject([{ isFound: false }])
  expect(accusations).toMatchObject([{ location: 'dist/a.txt', rule: 'AUD-001', length: 33 }])
})

const list = Buffer.from(
  '62706c6973743030d101025161516208 0b0d00000000000000010100000000000000030000000000000000000000000000000f'.replaceAll(
    ' ',
    '',
  ),
  'hex',
)
const file = { format: 'binary-plist', location: 'a.plist', name: 'a.plist', bytes: list }
const oracle = (strings: readonly { text: string; role?: 'value' | 'name' }[]): Oracle => ({
  tool: 'a tool',
  format: 'binary-plist',
  compare: 'every',
  read: () => Promise.resolve(strings),
})

test.each([
  [
    [
      { text: 'a', role: 'name' },
      { text: 'b', role: 'value' },
    ],
    [],
  ],
  [[{ text: 'a' }], ['only the audit, 1 times: string "b" (1)']],
  [[{ text: 'a' }, { text: 'b' }, { text: 'c' }], ['only the tool: string "c" (1)']],
  [
    [
      { text: 'a', role: 'value' },
      { text: 'b', role: 'value' },
    ],
    ['only the tool: value "a" (1)', 'only the audit, 1 times: string "a" (1)'],
  ],
] as const)('an oracle that sees %j differs in %j', async (strings, differences) => {
  const { runs } = await askOracles([file], [oracle(strings)])
  expect(runs).toMatchObject([{ strings: strings.length, differences }])
})

test('an oracle that is not there is named, and proves nothing', async () => {
  const absent: Oracle = {
    ...oracle([]),
    read: () => Promise.reject(new ToolFailure('a tool: it is not installed')),
  }
  expect(await askOracles([file], [absent])).toEqual({
    runs: [],
    missing: ['a tool on a.plist: a tool: it is not installed'],
  })
})

test('every kind of fault makes the proof fail, and is in the table', async () => {
  const nothing: Proof = { seed: 1, recalls: [], clean: [], oracles: [], missing: [] }
  expect(summaryOf(nothing).holds).toBe(true)
  const missed = await recall(textFile(() => 'nothing'))
  const differing = await askOracles([file], [oracle([{ text: 'c' }])])
  for (const [proof, text] of [
    [{ ...nothing, recalls: [missed] }, '0 of 1 found'],
    [{ ...nothing, oracles: differing.runs }, 'only the tool'],
  ] as const) {
    expect(summaryOf(proof).holds).toBe(false)
    expect(renderProof(proof)).toContain(text)
  }
  expect(renderProof({ ...nothing, missing: ['a tool: it is not installed'] })).toContain(
    '- a tool: it is not installed',
  )
})
