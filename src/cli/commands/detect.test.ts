import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { startReference } from '../../../fixtures/stack.ts'
import { loadConfiguration } from '../../configuration/load.ts'
import type { Variant } from '../../requirement/define.ts'
import { createWorkplace } from '../testing/workplace.ts'

async function undescribed(variant: Variant = {}) {
  const reference = await startReference({ withoutDouble: true, variant })
  const { url } = reference.signaling
  const place = await createWorkplace({ ...reference.written, signaling: { url } })
  const stop = () => Promise.all([place[Symbol.asyncDispose](), reference[Symbol.asyncDispose]()])
  return { ...place, [Symbol.asyncDispose]: async () => void (await stop()) }
}

const rejecting: Variant = { signaling: { handshake: () => 401 } }

describe('detect', () => {
  test('prints and writes what it found, keeps the remarks, and shows no secret', async () => {
    await using reference = await startReference({ withoutDouble: true })
    await using place = await createWorkplace({})
    const file = join(place.folder, 'twotoken.yaml')
    const { mint, signaling, caFile } = reference
    const before = `# ours
name: acme      # the name

mint:           # the mint
  url: ${mint.url}   # base
  apiKey: \${KEY}
signaling:
  url: ${signaling.url}
tls: { ca: ${caFile} }
`
    await writeFile(file, before)
    const environment = { KEY: mint.keys.active }
    const prelude = `export KEY=${mint.keys.active}`
    const { code, stdout, stderr } = await place.start(['detect', '--write'], { prelude }).ended
    expect(code).toBe(0)
    expect(parse(stdout)).toMatchObject({
      signaling: { profile: { carriage: { in: 'subprotocol', protocols: ['bearer.{jwt}'] } } },
    })
    const after = await readFile(file, 'utf8')
    for (const remark of before.match(/#.*/g) ?? []) expect(after).toContain(remark)
    const { signaling: found } = await loadConfiguration(file, environment)
    expect(found?.access).toHaveProperty('profile.declaredUser', { in: 'query', name: 'as' })
    for (const text of [stdout, stderr, after]) {
      expect(text).not.toContain(mint.keys.active)
      expect(text).not.toMatch(/eyJ[\w-]{10,}\.[\w-]{10,}\./)
    }

    const again = await place.start(['detect', '--write'], { prelude }).ended
    expect(again.code).toBe(2)
    expect(again.stderr).toContain('already has a signaling profile')
    expect(await readFile(file, 'utf8')).toBe(after)
  })

  test('says that nothing tells, and leaves the file as it is', async () => {
    await using place = await undescribed(rejecting)
    const before = await place.read('../twotoken.yaml')
    const { code, stdout } = await place.start(['detect', '--write']).ended
    expect(code).toBe(3)
    expect(stdout).toContain('answered 401 without a token')
    expect(parse(await place.read('../twotoken.yaml')).signaling).toEqual(parse(before).signaling)
  })

  test('has nothing to do without signaling, and tries nothing that cannot be reached', async () => {
    await using empty = await createWorkplace({ name: 'x' })
    const nothing = await empty.start(['detect']).ended
    expect(nothing.stderr).toContain('configures no signaling')
    expect(nothing.code).toBe(2)
    await using unreachable = await createWorkplace({
      mint: { url: 'http://127.0.0.1:1', apiKey: 'ac_live_x' },
      signaling: { url: 'ws://127.0.0.1:1' },
    })
    const refused = await unreachable.start(['detect']).ended
    expect(refused.stderr).toContain('detection did not start:')
    expect(refused.code).toBe(2)
  })
})

describe('run without a profile', () => {
  test('judges by what it detected, and says so in every verdict that rests on it', async () => {
    await using place = await undescribed()
    const { code } = await place.start(['run', '--only', 'MINT-01,SIG-02,SIG-03,SIG-08']).ended
    const { checks, observations, exchanges } = await place.results()
    expect(checks.map(({ id, verdict, detected }) => [id, verdict, detected])).toEqual([
      ['MINT-01', 'pass', undefined],
      ['SIG-02', 'pass', true],
      ['SIG-03', 'pass', true],
      ['SIG-08', 'pass', true],
    ])
    expect(checks[1]?.reason).toContain('based on a detected profile')
    expect(observations).toHaveProperty(['signaling.detectedProfile', 'carriage', 'in'], 'subprotocol')
    expect(new Set(exchanges.map(({ id }) => id)).size).toBe(exchanges.length)
    expect(code).toBe(0)
  })

  test('no requirement fails where nothing is detected, or where the service accepts a damaged token', async () => {
    for (const [variant, said] of [
      [rejecting, 'nothing was detected: signaling answered 401'],
      [{ signaling: { signatureHolds: () => true } }, 'accepts a token with a damaged signature'],
    ] as const) {
      await using place = await undescribed(variant)
      const { code } = await place.start(['run', '--only', 'SIG-03,SIG-20']).ended
      const { checks } = await place.results()
      expect(checks.map(({ verdict }) => verdict)).toEqual(['untested', 'untested'])
      expect(checks[0]?.reason).toContain(said)
      expect(code).toBe(3)
    }
  })
})
