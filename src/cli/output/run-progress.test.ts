import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Role } from '../../requirement/define.ts'
import type { CheckResult } from '../../requirement/run.ts'
import { showRunProgress } from './run-progress.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }))
afterEach(() => void vi.useRealTimers())

const checks: { id: string; role: Role }[] = [
  { id: 'MINT-01', role: 'mint' },
  { id: 'MINT-02', role: 'mint' },
  { id: 'FLOW-03', role: 'flow' },
]

function reportOf(id: string, verdict: 'pass' | 'fail' | 'error', facts: Partial<CheckResult> = {}) {
  const role = checks.find((check) => check.id === id)?.role ?? 'mint'
  const own = { id, role, verdict, title: 'uses wss', level: 'MUST', clauses: [], durationMs: 1 } as const
  const result = { ...own, reason: null, findings: [], observations: {}, ...facts }
  return { result, exchanges: [], secrets: [] }
}

/** Returns the screen of a terminal after this output. It knows only the controls that the progress uses. */
function screenOf(written: string): string[] {
  const lines = ['']
  for (const [token, up] of written.replaceAll('\u001b', '␛').matchAll(/␛\[(\d+)F␛\[J|\n|[^\n␛]+/g)) {
    if (up !== undefined) lines.splice(lines.length - 1 - Number(up), Number.POSITIVE_INFINITY, '')
    else if (token === '\n') lines.push('')
    else lines.push(`${lines.pop()}${token}`)
  }
  return lines.filter((line) => line !== '')
}

function open({ isTTY }: { isTTY: boolean }) {
  const written: string[] = []
  const terminal = { isTTY, columns: 80, write: (text: string) => void written.push(text) }
  const progress = showRunProgress(terminal, () => performance.now())
  progress.onStarted(checks)
  return { progress, written: () => written.join(''), screen: () => screenOf(written.join('')) }
}

test('one live line a suite, with the check that takes longest', () => {
  const { progress, screen } = open({ isTTY: true })
  expect(screen()).toEqual([`mint       ${'░'.repeat(20)} 0 of 2`, `flow       ${'░'.repeat(20)} 0 of 1`])
  progress.onReport(reportOf('MINT-01', 'fail'))
  progress.onTurn('FLOW-03', true)
  vi.advanceTimersByTime(4000)
  expect(screen()).toEqual([
    `mint       ${'█'.repeat(10)}${'░'.repeat(10)} 1 of 2 · 1 violated`,
    `flow       ${'░'.repeat(20)} 0 of 1 · FLOW-03 for 4 s`,
  ])
  vi.advanceTimersByTime(2000)
  expect(screen()[1]).toContain('FLOW-03 for 6 s')
  progress.onTurn('FLOW-03', false)
  progress.onReport(reportOf('FLOW-03', 'pass'))
  vi.advanceTimersByTime(250)
  expect(screen()[1]).toBe(`flow       ${'█'.repeat(20)} 1 of 1`)
  progress.onEnd()
  expect(screen()).toEqual([])
})

test('without a terminal, a line an event and no control characters', () => {
  const { progress, written } = open({ isTTY: false })
  progress.onTurn('FLOW-03', true)
  progress.onReport(reportOf('MINT-01', 'pass'))
  progress.onEnd()
  expect(written()).toBe(['running 3 requirements', 'pass           MINT-01  uses wss', ''].join('\n'))
})

test('writes an error last, with the verdict that it has in the end', () => {
  const { progress, written } = open({ isTTY: false })
  const cause = { part: 'mint', unavailable: 'failing' } as const
  progress.onReport(reportOf('MINT-02', 'error', { cause }))
  progress.onReport(reportOf('FLOW-03', 'error', { defect: true }))
  progress.onReport(reportOf('MINT-01', 'fail'))
  progress.onEnd()
  expect(written().match(/^\S+ +\S+-\d+/gm)).toEqual([
    'fail           MINT-01',
    'untested       MINT-02',
    'error          FLOW-03',
  ])
})
