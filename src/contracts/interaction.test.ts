import { expect, test } from 'vitest'
import { listInteractions } from './interaction.ts'

const named = (name: string) => `\${${name}}`

/** The values that a generator with this expression asks of a provider state. */
function injectedBy(generators: unknown): readonly string[] | undefined {
  const source = { description: 'a call', request: { method: 'GET', generators }, providerStates: [] }
  return listInteractions([{ consumer: 'app', interactions: [source] }] as never)[0]?.injected
}

test.each([
  [`Bearer ${named('session')}`, ['session']],
  [`${named('a')}/${named('b')} and ${named('')}`, ['a', 'b']],
  ['session', ['session']],
  ['${open', ['${open']],
])('%s names %j', (expression, names) => {
  expect(injectedBy({ header: { authorization: { type: 'ProviderState', expression } } })).toEqual(names)
})

test('an expression of 1 MB that is never closed, and generators that are nested deeply, are read', () => {
  expect(injectedBy({ type: 'ProviderState', expression: '${'.repeat(524_288) })).toHaveLength(1)
  let nested: unknown = { type: 'ProviderState', expression: named('session') }
  for (let level = 0; level < 100_000; level += 1) nested = { nested }
  expect(injectedBy(nested)).toEqual(['session'])
})
