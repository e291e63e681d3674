import { expect, test } from 'vitest'
import { showAuditProgress } from './audit-progress.ts'

function open(columns = 200) {
  const written: string[] = []
  const terminal = { isTTY: true, columns, write: (text: string) => void written.push(text) }
  let now = 0
  const progress = showAuditProgress(terminal, () => now)
  return {
    progress,
    written,
    /** Returns the text that is drawn when so many bytes are read after so many seconds. */
    at(seconds: number, bytes: number, knownBytes = 100, location = 'dist/app.apk!classes2.dex') {
      now = seconds * 1000
      const before = written.length
      const [read, known] = [bytes * 1_000_000, knownBytes * 1_000_000]
      progress.read(location, { files: 3, knownFiles: 40, bytes: read, knownBytes: known })
      const drawn = written.slice(before).join('')
      return drawn.replace(/^.*\[J|\n$/gs, '')
    },
  }
}

test('one line after two seconds, which is drawn again where it is and erased at the end', () => {
  const { at, progress, written } = open()
  expect(at(1.9, 19)).toBe('')
  expect(at(2, 20)).toBe('auditing 20 of 100 MB · 3 of 40 files · dist/app.apk!classes2.dex')
  expect(at(2.1, 22)).toBe('')
  expect(at(2.3, 23)).toContain('23 of 100 MB')
  expect(written.at(-1)?.startsWith('\u001b[1F\u001b[Jauditing')).toBe(true)
  progress.end()
  expect(written.at(-1)).toBe('\u001b[1F\u001b[J')
})

test.each([20, 30, 40, 60, 80, 120])('fits into %i columns', (columns) => {
  const { at } = open(columns)
  const line = at(5, 20, 100, `dist/${'x'.repeat(99)}/資料.apk!classes2.dex`)
  expect(line.length).toBeLessThan(columns)
  expect(line).toMatch(columns === 20 ? /^$/ : /^auditing 20 of 100 MB/)
  if (columns === 120) expect(line).toMatch(/ · …x+\/資料\.apk!classes2\.dex$/)
})
