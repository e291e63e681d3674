import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startReference } from '../../../fixtures/stack.ts'
import { createWorkplace } from '../testing/workplace.ts'

const prelude = 'export E2E_USER=named PLAIN=withheld CALLING_API_KEY=withheld'

const tells = (file: string) => `import { writeFileSync } from 'node:fs'
writeFileSync('${file}', JSON.stringify([process.env.E2E_USER, process.env.PLAIN, process.env.PATH?.length > 0]))
`

test('an adapter and a driver get what the file names, and a note says what they lack', async () => {
  await using reference = await startReference({ withClient: true })
  const { written } = reference
  const client = written['client'] as { readonly driver: string }
  await using place = await createWorkplace({
    ...written,
    client: { ...client, driver: './driver.mjs' },
    environment: ['E2E_*'],
  })
  const told = join(place.folder, 'told.json')
  await place.write('driver.mjs', `${tells(told)}export * from '${client.driver}'\n`)
  const { code, stderr } = await place.start(['run', '--only', 'CLI-03'], { prelude }).ended
  expect(stderr).toContain('client.driver reads PLAIN, which it does not receive: list it in environment')
  expect(code).toBe(0)
  expect(JSON.parse(await readFile(told, 'utf8'))).toEqual(['named', null, true])
})

test('a command that starts a service gets the variables that the file refers to', async () => {
  const reference = ['$', '{MINT_KEY}'].join('')
  await using place = await createWorkplace({
    mint: { url: 'http://127.0.0.1:9', apiKey: reference },
    start: { command: 'env > told; exit 3' },
  })
  const key = `ac_live_${'Zq81'.repeat(10)}`
  const { code, stderr } = await place.start(['run'], { prelude: `${prelude} MINT_KEY=${key}` }).ended
  expect(stderr).toContain('it receives only PATH, HOME, LANG and the like')
  expect(code).toBe(2)
  const told = await readFile(join(place.folder, 'told'), 'utf8')
  expect(told).toContain('MINT_KEY=')
  expect(told).not.toContain('withheld')
})
