import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createMask } from '../../src/base/evidence/mask.ts'
import { textsIn } from './syntax.ts'

/** Members of a requirement that no mask reads. */
const unmasked = new Set(['how', 'does', 'fails', 'warns', 'untested', 'why'])
const files = globSync('suites/**/*.ts').filter((path) => !/\.test\.ts$|\/testing\//.test(path))

test('sentences of the requirements pass the mask as they are written', () => {
  const { sentence } = createMask({ fingerprintKey: 'k' })
  const written = files.flatMap(sentencesOf)
  expect(written.length).toBeGreaterThan(500)
  expect(written.filter((text) => sentence(text) !== text)).toEqual([])
})

/** Texts of several words, without the values that a template puts into them: between blanks a number, elsewhere an ending. */
function sentencesOf(path: string): string[] {
  return textsIn(path, readFileSync(path, 'utf8'))
    .filter(({ name }) => !unmasked.has(name ?? ''))
    .map(({ pieces }) =>
      pieces.reduce((text, piece) => text + (text.endsWith(' ') && piece.startsWith(' ') ? '9' : '') + piece),
    )
    .filter((text) => /[a-z]+ [a-z]+ [a-z]*/.test(text))
}
