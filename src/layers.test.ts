import { expect, test } from 'vitest'
import {
  againstOrder,
  circlesOf,
  type Import,
  importsBelow,
  importsOf,
  loadLayers,
  pastEntry,
} from '../docs/generator/layers.ts'

const layers = await loadLayers()
const imports = await importsBelow(['src', 'audit', 'suites', 'fixtures', 'contracts', 'proof'])

test('no file imports from a higher layer or from a neighbour', () => {
  expect(againstOrder(imports, layers)).toEqual([])
})

test('no files import each other in a circle, types included', () => {
  expect(circlesOf(imports)).toEqual([])
})

test('a room with entries is imported by those files alone, types included', () => {
  expect(pastEntry(imports, layers)).toEqual([])
})

test('every source file below src is in a declared room', () => {
  const folders = layers.flatMap(({ rooms }) => rooms.map(({ folder }) => folder))
  const files = new Set(imports.map(({ from }) => from).filter((file) => /^src\/.+\//.test(file)))
  expect([...files].filter((file) => !folders.some((folder) => file.startsWith(`${folder}/`)))).toEqual([])
})

test.each([
  [
    'a type from above',
    'src/base/http/a.ts',
    "import type { Configuration } from '../../configuration/configuration.ts'",
  ],
  ['a type named in place', 'src/base/a.ts', "export type A = import('../requirement/judge.ts').Judge"],
  [
    'a call at run time',
    'src/roles/mint/a.ts',
    "export const later = () => import('../../requirement/session.ts')",
  ],
  [
    'an export from above',
    'src/requirement/a.ts',
    "export * from '../../suites/mint/rejects-missing-key.ts'",
  ],
  ['a neighbour', 'suites/mint/a.ts', "export { startMint } from '../../fixtures/mint/server.ts'"],
  ['a declaration of another module', 'src/base/tokens/a.ts', "declare module '../../cli/program.ts' {}"],
  ['a room from the one inside it', 'src/run/preflight/a.ts', "export { run } from '../execute.ts'"],
])('is shown red by %s', (_, file, text) => {
  expect(againstOrder(importsOf(file, text), layers)).toHaveLength(1)
})

test.each([
  ['a type', 'src/cli/a.ts', "import type { Finding } from '../../audit/src/model/finding.ts'"],
  ['a type named in place', 'suites/a.ts', "export type A = import('../audit/src/audit/audit.ts').A"],
  [
    'a call at run time',
    'src/reports/a.ts',
    "export const later = () => import('../../audit/src/audit/baseline.ts')",
  ],
])('is shown red by %s from behind the entries of the audit', (_, file, text) => {
  expect(pastEntry(importsOf(file, text), layers)).toHaveLength(1)
})

test.each([
  ['an entry', 'src/cli/a.ts', "import type { Finding } from '../../audit/src/api.ts'"],
  ['a file of the same room', 'audit/src/formats/a.ts', "export { scan } from '../scan/scan.ts'"],
  ['a test', 'src/cli/a.test.ts', "export { scan } from '../../audit/src/search/scan.ts'"],
])('allows %s', (_, file, text) => {
  expect(pastEntry(importsOf(file, text), layers)).toEqual([])
})

test('is shown red by a circle of three', () => {
  const circle: Import[] = [
    { from: 'src/base/a.ts', to: 'src/base/b.ts' },
    { from: 'src/base/b.ts', to: 'src/base/c.ts' },
    { from: 'src/base/c.ts', to: 'src/base/a.ts' },
  ]
  expect(circlesOf(circle)).toEqual([['src/base/a.ts', 'src/base/b.ts', 'src/base/c.ts']])
})
