import { expect, test } from 'vitest'
import { createMachine } from './machine.ts'
import type { Action, Method } from './step.ts'

function textsOf(actions: readonly Action[]): string[] {
  const steps = actions.map((action, at) => ({ ...action, at }))
  const method: Method = {
    owner: 'app/Settings',
    name: 'key',
    descriptor: '()V',
    isStatic: true,
    argumentsAt: 0,
    steps: () => steps,
  }
  const texts: string[] = []
  const program = { method: () => undefined, parents: () => [], constants: () => [] }
  createMachine(program, { steps: 10_000_000, bytes: 10_000_000, whole: null }, ({ text }) => {
    texts.push(text)
  }).explore(method)
  return texts
}

test('reaches what is behind a loop that goes on while something unknown does', () => {
  const unknown = { kind: 'other', from: [], to: 0, type: 'I' } as const
  const branch = { kind: 'branch', condition: '!=', left: 0, right: { literal: 0 } } as const
  const texts = textsOf([
    unknown,
    // do { … } while (r0 != 0)
    { ...branch, target: 0 },
    unknown,
    { ...branch, target: 5 },
    { kind: 'return', from: null },
    { kind: 'concatenate', recipe: 'piece', types: [], args: [], to: 1 },
  ])
  expect(texts).toContain('piece')
})
