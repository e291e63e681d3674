import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { renderHtml } from '../../reports/run/html.ts'
import { frozenRun, frozenText } from '../../reports/testing/frozen-run.ts'
import { report } from './report.ts'

async function frozen(text = frozenText) {
  const folder = await mkdtemp(join(tmpdir(), 'twotoken-test-'))
  const file = join(folder, 'results.json')
  await writeFile(file, text)
  return { folder, file, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) }
}

function output() {
  const written = { stdout: '', stderr: '' }
  return {
    written,
    stdout: { write: (text: string) => (written.stdout += text) },
    stderr: { write: (text: string) => (written.stderr += text) },
  }
}

test.each([
  ['html', '<!DOCTYPE html>'],
  ['junit', '<?xml version="1.0" encoding="UTF-8"?>'],
  ['sarif', '{\n  "$schema"'],
  ['markdown', '# acme'],
  ['ctrf', '{\n  "reportFormat": "CTRF"'],
])('renders %s on stdout', async (format, start) => {
  await using run = await frozen()
  const out = output()
  expect(await report({ file: run.file, format }, out)).toBe(0)
  expect(out.written.stdout.startsWith(start)).toBe(true)
  expect(out.written.stderr).toBe('')
})

test('writes to a file, and then nothing on stdout', async () => {
  await using run = await frozen()
  const out = output()
  const file = join(run.folder, 'new', 'report.html')
  expect(await report({ file: run.file, format: 'html', out: file }, out)).toBe(0)
  expect(await readFile(file, 'utf8')).toBe(renderHtml(frozenRun))
  expect(out.written.stdout).toBe('')
})
