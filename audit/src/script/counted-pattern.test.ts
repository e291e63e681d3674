import { expect, test } from 'vitest'
import { OverEffort } from '../model/effort.ts'
import { countedPattern } from './machine/library/counted-pattern.ts'

const patterns = [
  /\.|\[(?:[^[\]]*|(["'])(?:(?!\1)[^\\]|\\.)*?\1)\]/g,
  /[^.[\]]+|\[(?:(-?\d+(?:\.\d+)?)|(["'])((?:(?!\2)[^\\]|\\.)*?)\2)\]|(?=(?:\.|\[\])(?:\.|\[\]|$))/g,
  /^\x25(?:([1-9]\d*)\$|\(([^)]+)\))?(\+)?(0|'[^$])?(-)?(\d+)?(?:\.(\d+))?([b-gijostTuvxX])/,
  /<%-([\s\S]+?)%>|<%=([\s\S]+?)%>|\$\{([^\\}]*(?:\\.[^\\}]*)*)\}|<%([\s\S]+?)%>|$/g,
  /^\[([^\]]*)\]\s*$|^([^=]+)(=(.*))?$/i,
  /(?<year>\d{4})-(?<month>\d\d)/gu,
  /(a+)+b/,
  /(?<=\$)\d+(?!\d)/g,
  /(?<!x)y/g,
  /\bfoo\b/gi,
  /\Boo/g,
  /^l.*$/gm,
  /(?:a|ab)(?:c|bcd)(d*)/,
  /(z)((a+)?(b+)?(c))*/,
  /\u{1F600}|[^ -~]/gu,
  /(?:)/g,
  /a{2,3}?b*/g,
  /(\w+)\s\1/gi,
  /(?<word>\w)\k<word>/y,
  /\p{Lu}/gu,
]
const texts = [
  'a.b[0].c["x.y"]',
  '%5.2f %s',
  '<%= a %> b <% c %>',
  '[calls]',
  'brand=ac',
  '2020-01 and 1999-12',
  'aaaaaaaaaaab',
  '$12 $345x',
  'xy yy',
  'foo Foo food',
  'line\nl2\nx',
  'abcd',
  'zaacbbbcac',
  'é😀b',
  '',
  'aaab aab',
  'hello Hello world',
  'ABc',
]

const effort = (steps: number) => ({ steps, bytes: 1e6, whole: null })

/** Gives what each method of a text finds by a pattern. */
function found(make: () => RegExp, text: string): unknown[] {
  const match = make().exec(text)
  return [
    text.replace(make(), (...given) => `<${given.slice(0, -1).map(String).join('|')}>`),
    text.replace(make(), '[$&$1]'),
    text.search(make()),
    text.split(make()),
    [...(text.match(make()) ?? [])],
    match === null ? null : [[...match], match.index, { ...match.groups }],
    make().test(text),
  ]
}

test.each(patterns)('%s finds what the language finds', (pattern) => {
  const counted = () => countedPattern(pattern, effort(1e8)) as RegExp
  const own = () => new RegExp(pattern.source, pattern.flags)
  for (const text of texts) expect([text, ...found(counted, text)]).toEqual([text, ...found(own, text)])
})

test('a pattern that tries countless ways pays for each', () => {
  const pattern = countedPattern(/^(?:(?:a+)+|(a|a)*)+$/, effort(1e5)) as RegExp
  expect(() => pattern.test(`${'a'.repeat(200)}b`)).toThrow(OverEffort)
})
