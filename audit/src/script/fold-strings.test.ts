import { expect, test } from 'vitest'
import { foldStrings } from './fold-strings.ts'
import { parseScript } from './parse/parse-script.ts'

test('an expression that costs much leaves effort to others of the same script', () => {
  const much = (name: string) =>
    `function ${name}(){var s='',i=0;for(;i<1e6;i++)s='ac_'+i+'live_'+s.slice(0,90);return s}\nuse(${name}())\n`
  const text = `${much('a')}${much('b')}use(['rest','live','ac'].reverse().join('_'))`
  const parsed = parseScript(text, 'ac_live_', { steps: 10_000_000, bytes: 10_000_000, whole: null })
  if (parsed === null) throw new Error('the script does not parse')
  const effort = { steps: 600_000, bytes: 10_000_000, whole: null }
  const { strings } = foldStrings({ ...parsed, prefix: 'ac_live_' }, effort)
  expect(strings.map(({ value }) => value)).toContain('ac_live_rest')
})

test('evaluates what is nearest to pieces of a key first in a script that is read in parts', () => {
  const much = (name: string) =>
    `const ${name} = (function(){var s='',i=0;for(;i<1e6;i++)s=head+i+tail+s.slice(0,90);return s})() + 'x'\n`
  const text = `enum None {}\nconst head = 'ac_', tail = 'live_'\n${Array.from({ length: 60 }, (_, index) => much(`a${index}`)).join('')}const pieces = ['rest','live','ac']\nconst key = pieces.reverse().join('_')`
  const parsed = parseScript(text, 'ac_live_', { steps: 10_000_000, bytes: 10_000_000, whole: null })
  if (parsed === null) throw new Error('the script does not parse')
  const effort = { steps: 2_000_000, bytes: 10_000_000, whole: null }
  const { strings } = foldStrings({ ...parsed, prefix: 'ac_live_' }, effort)
  expect(strings.map(({ value }) => value)).toContain('ac_live_rest')
})
