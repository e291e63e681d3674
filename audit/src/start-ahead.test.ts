import { expect, test, vi } from 'vitest'
import { optimiseLater } from './start-ahead.ts'

test('V8 compiles without its costliest parts until an audit has gone on for some seconds', () => {
  vi.useFakeTimers()
  try {
    const flags: string[] = []
    optimiseLater('v24.21.0', (flag) => void flags.push(flag))
    expect(flags).toEqual([])
    vi.advanceTimersByTime(1000)
    expect(flags).toEqual(['--no-turbofan', '--no-maglev-inlining'])
    vi.advanceTimersByTime(60_000)
    expect(flags.slice(2)).toEqual(['--turbofan', '--maglev-inlining'])
  } finally {
    vi.useRealTimers()
  }
})

test('V8 compiles as it does elsewhere in a Node whose compilers are others', () => {
  vi.useFakeTimers()
  try {
    const flags: string[] = []
    optimiseLater('v22.22.0', (flag) => void flags.push(flag))
    vi.advanceTimersByTime(60_000)
    expect(flags).toEqual([])
  } finally {
    vi.useRealTimers()
  }
})
