import { Argument, Command } from 'commander'
import { expect, test } from 'vitest'
import { insteadOfKey, removedWords } from '../base/removed.ts'
import { rejectRemoved } from './removed-words.ts'

test.each(Object.keys(removedWords))('%s is rejected with what to do instead', (words) => {
  const program = new Command('twotoken')
  expect(() => rejectRemoved(program, words.split(' '))).toThrow(`${words} was removed: `)
})

test('a key of the file that is gone has advice, and no other has', () => {
  expect(insteadOfKey('load')).toContain('examples/load')
  expect(insteadOfKey('hooks.moveClock')).toContain('remove the line')
  expect(insteadOfKey('toString')).toBeUndefined()
})

test('an option that takes its value behind an equals sign is rejected as well', () => {
  const program = new Command('twotoken')
  expect(() => rejectRemoved(program, ['run', '--shard=1/2'])).toThrow('run --shard was removed')
  const audit = new Command('twotoken-audit')
  expect(() => rejectRemoved(audit, ['dist', '--git=main..HEAD'])).toThrow('audit --git was removed')
})

test('accepts the words that a command takes', () => {
  const program = new Command('twotoken')
  program
    .command('explore')
    .addArgument(new Argument('<role>').choices(['client']))
    .option('--until-covered')
  expect(() => rejectRemoved(program, ['explore', 'client', '--until-covered'])).not.toThrow()
  expect(() => rejectRemoved(program, ['verify', '--blame'])).not.toThrow()
  expect(() => rejectRemoved(program, [])).not.toThrow()
})
