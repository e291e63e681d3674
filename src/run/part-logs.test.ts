import { expect, test } from 'vitest'
import { addPartNotes, listPartNotes, type PartLog } from './part-logs.ts'

const exited: PartLog = {
  part: 'command',
  state: 'exited with code 1',
  log: 'command.log',
  text: '',
}

test('a command that ends in mid-run is named, with the file of its output', () => {
  expect(listPartNotes([exited])).toEqual([
    'meanwhile start.command exited with code 1; its output is in command.log',
  ])
})

test('a part to which something happened is named with what happened', () => {
  const [running, paused] = ['running', 'paused'].map((state) => ({ ...exited, part: 'mint', state }))
  expect(listPartNotes([running, paused].filter((one) => one !== undefined))).toEqual([
    'meanwhile the mint is paused; its output is in command.log',
  ])
})

test('a verdict that rests on a broken connection says that the command had ended', () => {
  const exchange = { id: 'x1', kind: 'http', to: 'backend', failure: 'ECONNREFUSED' } as never
  const check = (evidence: readonly string[]) =>
    ({ verdict: 'error', reason: 'control failed', findings: [{ evidence }] }) as never
  const [broken, other] = addPartNotes([check(['x1']), check([])], [exchange], [exited])
  expect(broken?.reason).toBe(
    'control failed; start.command exited with code 1; its output is in command.log',
  )
  expect(other?.reason).toBe('control failed')
})
