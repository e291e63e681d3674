import { expect, test } from 'vitest'
import { frozenRun } from '../testing/frozen-run.ts'
import { renderMarkdown } from './markdown.ts'

const text = renderMarkdown(frozenRun)
const lines = text.split('\n')

test('begins with the outcome and the counts', () => {
  expect(lines[0]).toBe('# acme \\<staging\\> &amp; co: nonconformant')
  const table = lines.filter((line) => line.startsWith('|')).slice(0, 3)
  const cells = (line = '') =>
    line
      .split('|')
      .map((cell) => cell.trim())
      .slice(1, -1)
  const counts = Object.fromEntries(
    cells(table[0]).map((name, index) => [name, Number(cells(table[2])[index])]),
  )
  expect(counts).toEqual(frozenRun.summary)
})

test('has a heading per requirement that is not as it should be, by verdict', () => {
  expect(lines.filter((line) => line.startsWith('## ') || line.startsWith('### '))).toEqual([
    '## Violations',
    '### MINT-04: the mint issues nothing without an API key',
    '### BACK-08: the backend keeps the key from the client',
    '## Errors',
    '### BACK-01: the backend answers a session with a token',
    '## Warnings',
    '### MINT-04: the mint issues nothing without an API key',
    '### BACK-14: the backend hands out tokens that live for minutes',
    '### SIG-08: signaling reports a refusal as 401',
    '## Not judged',
    '## Not applicable',
    '## Implementation-defined behaviour',
  ])
})

test('gathers what was not judged under its reason', () => {
  expect(lines).toContain("- SIG-22, SIG-25: needs token.jwks, the service's published keys")
})

test('shows hostile text as it is: no markup, no mention, no cell of its own', () => {
  const hostile = lines.filter((line) => line.includes('alert'))
  expect(hostile.length).toBeGreaterThan(0)
  for (const line of hostile) {
    expect(line).toContain('\\<script\\>alert(1)\\</script\\> &amp;')
    expect(line).toContain('\\| \\`code\\` \\*bold\\* @<!-- -->someone')
    expect(line).not.toMatch(/\p{Cf}|(?!\n)\p{Cc}/u)
  }
})
