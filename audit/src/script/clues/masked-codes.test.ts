import { expect, test } from 'vitest'
import { hasMaskedCodes } from './masked-codes.ts'

const prefix = 'ac_live_'
const codes = [...prefix, '9'].map((char) => char.charCodeAt(0))
const has = (script: string) => hasMaskedCodes(Buffer.from(script, 'latin1'), prefix)

const lists = {
  'as they are': codes.join(),
  shifted: codes.map((code) => code + 7).join(),
  masked: codes.map((code) => code ^ 0x55).join(),
  'against their direction': [...codes.slice(0, 8).reverse(), 1].join(),
  'in hexadecimal': codes.map((code) => `0x${code.toString(16)}`).join(', '),
  'in capitals': codes.map((code) => `0X${code.toString(16).toUpperCase()}`).join(),
  'a line each': codes.map((code) => `\n              ${code}`).join(' ,'),
  'among others': [1, 2, 3, ...codes.map((code) => code ^ 3), 4, 5].join(),
}

test.each(Object.entries(lists))('finds the codes %s, wherever they are', (_, list) => {
  for (let length = 0; length < 40; length++)
    for (const filler of ['z', ' ', ',', '0', 'xyz, 5 ', 'a']) {
      const before = filler.repeat(40).slice(0, length)
      expect([before, has(`${before}[${list}]`)]).toEqual([before, true])
    }
  expect(has(`[${list}`)).toBe(true)
})

test.each([
  ['other numbers', Array.from({ length: 60 }, (_, at) => 30 + at).join()],
  ['too few of them', codes.slice(0, 6).join()],
  ['no commas', codes.join(' ')],
  ['nothing', ''],
  ['a word for each', codes.map((code) => `n(${code})`).join()],
])('%s are none', (_, list) => {
  expect(has(`use([${list}])`)).toBe(false)
})
