import { expect, test } from 'vitest'
import { parametersIn } from './value.ts'

test.each([
  ['IJ', ['I', 'J']],
  ['[[BLjava/lang/String;I', ['[[B', 'Ljava/lang/String;', 'I']],
  ['[Ljava/lang/Object;[J', ['[Ljava/lang/Object;', '[J']],
  ['', []],
])('takes the parameters %j apart', (written, parameters) => {
  expect(parametersIn(written)).toEqual(parameters)
})

test.each(['L', '['])('names that do not end are read at once: %s', (sign) => {
  const { user } = process.cpuUsage()
  parametersIn(sign.repeat(500_000))
  expect(process.cpuUsage().user - user).toBeLessThan(5_000_000)
})
