import { expect } from 'vitest'
import type { frameworksOfPart } from '../../src/reports/fix-pages.ts'
import type { CheckResult } from '../../src/requirement/run.ts'
import { judgeBackend, notAllowed } from './judge-backend.ts'
import { judgeMint } from './judge-mint.ts'
import { judgeSignaling } from './judge-signaling.ts'
import { listIds, readSnippets } from './snippets.ts'

// The programs that the blocks of each framework form, for packages that are installed here and those of `proof/peers`.

const snippets = await readSnippets()

export async function expectConformantBackend(framework: 'express' | 'fastify'): Promise<void> {
  const blocks = snippets.backend[framework]
  const { results, allowedOrigin } = await judgeBackend(framework, blocks)
  expect(results.map(({ id }) => id).toSorted()).toEqual(listIds(blocks).toSorted())
  // It records which response formats of the mint are accepted, and judges none of them.
  expect(othersIn(results)).toEqual({ 'BACK-09': 'info' })
  expect(allowedOrigin).toBe('https://app.acme.example')
}

export async function expectConformantMint(framework: (typeof frameworksOfPart)['mint'][number]) {
  const blocks = snippets.mint[framework]
  const results = await judgeMint(framework, blocks)
  expect(results.map(({ id }) => id).toSorted()).toEqual(listIds(blocks).toSorted())
  expect(othersIn(results)).toEqual({})
}

export async function expectConformantSignaling(framework: 'ws' | 'socket.io'): Promise<void> {
  const blocks = snippets.signaling[framework]
  const results = await judgeSignaling(framework, blocks)
  expect(results.map(({ id }) => id).toSorted()).toEqual(listIds(blocks).toSorted())
  expect(othersIn(results)).toEqual({})
  const observations = results.find(({ id }) => id === 'SIG-35')?.observations
  for (const ended of ['RevokedKey', 'SuspendedProject'])
    expect(observations?.[`signaling.socketOf${ended}`]).toMatch(/^closed with /)
}

/** Every verdict other than `pass`, by requirement. */
export function othersIn(results: readonly CheckResult[]): Record<string, string> {
  return Object.fromEntries(
    results
      .filter(({ id, verdict }) => verdict !== 'pass' && !(verdict === 'not-applicable' && id === notAllowed))
      .map(({ id, verdict }) => [id, verdict]),
  )
}
