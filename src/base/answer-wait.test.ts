import { expect, test } from 'vitest'
import { createAnswerWait } from './answer-wait.ts'

const usualMs = 10_000
const silent = (startedAt: number, endedAt = startedAt + usualMs) => ({ startedAt, endedAt, isSilent: true })
const answer = (ms: number) => ({ startedAt: 0, endedAt: ms, isSilent: false })

test('a part that was silent once is waited for as before', () => {
  const wait = createAnswerWait()
  wait.note(answer(40))
  wait.note(silent(0))
  expect(wait.deadlineMs(usualMs)).toBe(usualMs)
})

test('requests that were silent at the same time count as one', () => {
  const wait = createAnswerWait()
  for (const at of [0, 100, 200]) wait.note(silent(at))
  expect(wait.deadlineMs(usualMs)).toBe(usualMs)
})

test('a part that was silent twice is waited for by its slower answers', () => {
  const wait = createAnswerWait()
  wait.note(answer(1_000))
  wait.note(silent(0))
  wait.note(silent(20_000))
  expect(wait.deadlineMs(usualMs)).toBe(4_000)
  wait.note(answer(60))
  expect(wait.deadlineMs(usualMs)).toBe(4_000)
})

test('a slower answer lengthens the wait, up to the usual one', () => {
  const wait = createAnswerWait()
  for (const at of [0, 20_000]) wait.note(silent(at))
  expect(wait.deadlineMs(usualMs)).toBe(2_000)
  wait.note(answer(1_900))
  expect(wait.deadlineMs(usualMs)).toBe(7_600)
  wait.note(answer(7_000))
  expect(wait.deadlineMs(usualMs)).toBe(usualMs)
})

test('a part that goes on being silent costs less still', () => {
  const wait = createAnswerWait()
  for (let count = 0; count < 6; count += 1) wait.note(silent(count * 20_000))
  expect(wait.deadlineMs(usualMs)).toBe(1_500)
  wait.note(answer(900))
  expect(wait.deadlineMs(usualMs)).toBe(3_600)
  for (let count = 6; count < 12; count += 1) wait.note(silent(count * 20_000))
  expect(wait.deadlineMs(usualMs)).toBe(7_200)
  for (let count = 0; count < 8; count += 1) wait.note(answer(20))
  expect(wait.deadlineMs(usualMs)).toBe(500)
})

test('a time that alone is a sign of success is waited for besides', () => {
  const wait = createAnswerWait()
  for (const at of [0, 20_000]) wait.note(silent(at))
  expect(wait.deadlineMs(usualMs, 3_000)).toBe(5_000)
})

test('the second try of a violation waits as usual', () => {
  const wait = createAnswerWait()
  for (const at of [0, 20_000]) wait.note(silent(at))
  {
    using _ = wait.asUsual()
    expect(wait.deadlineMs(usualMs)).toBe(usualMs)
  }
  expect(wait.deadlineMs(usualMs)).toBe(2_000)
})

test('one slow answer among a hundred is no habit; five are', () => {
  const wait = createAnswerWait()
  for (const at of [0, 20_000]) wait.note(silent(at))
  for (let count = 0; count < 95; count += 1) wait.note(answer(600))
  wait.note(answer(9_000))
  expect(wait.deadlineMs(usualMs)).toBe(2_400)
  for (let count = 0; count < 5; count += 1) wait.note(answer(2_000))
  expect(wait.deadlineMs(usualMs)).toBe(8_000)
})
