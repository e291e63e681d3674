import { expect, test } from 'vitest'
import { splitFinding } from './split-finding.ts'

test.each([
  ['saw 200; expected 401 (4.2.1)', { saw: '200', expected: '401 (4.2.1)' }],
  [
    'saw 200; expected 401 (4.2.1). Validate the session before calling the mint.',
    { saw: '200', expected: '401 (4.2.1)', fix: 'Validate the session before calling the mint.' },
  ],
  [
    'saw one; expected another. Correct it. Then run it again.',
    { saw: 'one', expected: 'another', fix: 'Correct it. Then run it again.' },
  ],
  ['saw 200 (e.g. Accepted); expected 401', { saw: '200 (e.g. Accepted)', expected: '401' }],
  ['the check made no assertion', null],
])('%s', (message, parts) => {
  expect(splitFinding(message)).toEqual(parts)
})
