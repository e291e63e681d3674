import { expect, test } from 'vitest'
import { auditInMemory } from '../audit/in-memory.ts'

const url = 'https://api.acme.example/api/v1/calling/token'

async function callsIn(name: string, text: string): Promise<string[]> {
  const bytes = Buffer.from(name.endsWith('.txt') ? text : `\0\u0001${text}\0`)
  const { findings } = await auditInMemory({ location: name, name, bytes }, { mintHost: 'api.acme.example' })
  return findings.map(({ rule, level, shown }) => `${rule} ${level} ${shown}`)
}

test.each(['Next string', 'application/json', 'r\u0001', '404 page not found'])(
  'finds the address of the mint where %j follows without a separator',
  async (behind) => {
    expect(await callsIn('app', `${url}${behind}`)).toEqual([`AUD-020 error ${url}`])
    expect(await callsIn('app', `https://other.example/xhttp2: ${url}${behind}`)).toHaveLength(1)
    expect(await callsIn('app', `https://other.example/firstWord${url}${behind}`)).toEqual([
      `AUD-020 error ${url}`,
    ])
  },
)

test.each([
  ['a text', 'a.txt', `${url}Next`],
  ['another route', 'app', `${url}s`],
  ['a longer route', 'app', `${url}/refresh`],
  ['a longer name', 'app', `${url}-refresh`],
  ['another host', 'app', 'https://shop.example/api/v1/calling/tokenNext'],
])('takes %s for no address of the mint', async (_, name, text) => {
  expect(await callsIn(name, text)).toEqual([])
})
