import { expect, test } from 'vitest'
import { parseHttpUrl } from './option-values.ts'

test.each(['http://127.0.0.1:3000/calling/token', 'https://shop.example/t', `\${BACKEND_URL}`])(
  'an address is %s',
  (text) => {
    expect(parseHttpUrl(text)).toBe(text)
  },
)

test.each(['nonsense', 'localhost:3000/token', 'ws://shop.example', ''])('an address is not "%s"', (text) => {
  expect(() => parseHttpUrl(text)).toThrow('use an http or https URL')
})
