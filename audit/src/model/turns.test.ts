import { threadId } from 'node:worker_threads'
import { afterEach, expect, test } from 'vitest'
import { countThreads, createTurns, freeTurn, shareTurns, takeTurn } from './turns.ts'

const much = 100 * 1024 * 1024
afterEach(() => shareTurns(null))

test('a thread alone takes no turns', () => {
  const turns = createTurns()
  shareTurns(turns)
  countThreads(turns, 1)
  using _turn = takeTurn(much)
  expect(turns[0]).toBe(0)
})

test('the turn of a thread that was ended is free again, and of no other', () => {
  const turns = createTurns()
  shareTurns(turns)
  countThreads(turns, 2)
  using _turn = takeTurn(much)
  const holder = turns[0]
  expect(holder).not.toBe(0)
  freeTurn(turns, threadId + 1)
  expect(turns[0]).toBe(holder)
  freeTurn(turns, threadId)
  expect(turns[0]).toBe(0)
})

test('one of two threads keeps its turn until all of what it does in it is done', () => {
  const turns = createTurns()
  shareTurns(turns)
  countThreads(turns, 2)
  {
    using _little = takeTurn(1024)
    expect(turns[0]).toBe(0)
    using _turn = takeTurn(much)
    expect(turns[0]).not.toBe(0)
    {
      using _inner = takeTurn(much)
    }
    expect(turns[0]).not.toBe(0)
  }
  expect(turns[0]).toBe(0)
})
