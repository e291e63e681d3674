import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createMask } from '../../src/base/evidence/mask.ts'
import { type Node, walk } from './syntax.ts'

/** Members of a requirement that no mask reads. */
const unmasked = new Set(['how', 'does', 'fails', 'warns', 'untested', 'why'])
const files = globSync('suites/**/*.ts').filter((path) => !/\.test\.ts$|\/testing\//.test(path))

test('sentences of the requirements pass the mask as they are written', () => {
  const { sentence } = createMask({ fingerprintKey: 'k' })
  const written = files.flatMap(sentencesOf)
  expect(written.length).toBeGreaterThan(500)
  expect(written.filter((text) => sentence(text) !== text)).toEqual([])
})

/** Texts of several words, without the values that a template puts into them. */
function sentencesOf(path: string): string[] {
  const found: string[] = []
  walk({ path, text: readFileSync(path, 'utf8') }, (node, name) => {
    const text = textOf(node)
    if (/[a-z]+ [a-z]+ [a-z]*/.test(text) && !unmasked.has(name ?? '')) found.push(text)
  })
  return found
}

function textOf(node: Node): string {
  if (node.type === 'Literal' && typeof node['value'] === 'string') return node['value']
  if (node.type !== 'TemplateLiteral') return ''
  const parts = (node['quasis'] as { value: { cooked: string } }[]).map(({ value }) => value.cooked)
  // Between blanks stands a number, elsewhere an ending.
  return parts.reduce((text, part) => text + (text.endsWith(' ') && part.startsWith(' ') ? '9' : '') + part)
}
