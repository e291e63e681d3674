import { describe, expect, test } from 'vitest'
import { findCheck, loadCatalogue } from '../../catalogue/load-requirements.ts'
import { loadVariants } from '../../catalogue/load-variants.ts'
import { type AnyCheck, type Catch, defineCheck } from '../../requirement/define.ts'
import { blameVariant } from './testing/blame-variant.ts'

const catalogue = await loadCatalogue(['flow', 'backend', 'signaling'])
const { conforming } = await loadVariants()
const blameOf = async (id: string, variant: Omit<Catch, 'as'>) =>
  (await blameVariant(findCheck(id, catalogue), variant)).blame

const mintPrefixesId: Catch['mint'] = {
  // A prefix that is always the same would be a frame, which conforms.
  claims: ({ userId }, { issuedAt, expiresAt }) => ({
    sub: `${crypto.randomUUID()}:${userId}`,
    iat: issuedAt,
    exp: expiresAt,
  }),
}
const backendFoldsId: Catch['backend'] = { userId: ({ userId }) => userId.toLowerCase() }
const backendCutsToken: Catch['backend'] = {
  success: (usual, { token }) => ({ ...usual, body: JSON.stringify({ token: String(token).slice(0, -12) }) }),
}
const signalingRejectsBob: Catch['signaling'] = {
  joinsAs: (user, declared) => (declared === user && user !== 'u-Bob' ? user : null),
}

describe('names the part whose replacement heals', () => {
  test.each<[string, string, Omit<Catch, 'as'>, string]>([
    ['the mint', 'FLOW-02', { mint: mintPrefixesId }, 'mint'],
    ['the backend', 'FLOW-01', { backend: backendCutsToken }, 'backend'],
    ['signaling', 'FLOW-01', { signaling: signalingRejectsBob }, 'signaling'],
    [
      'signaling that verifies no signature',
      'SIG-21',
      { signaling: { signatureHolds: () => true } },
      'signaling',
    ],
  ])('%s', async (_, id, variant, part) => {
    const blame = await blameOf(id, variant)
    expect(blame).toMatchObject({ conclusion: 'part', parts: [part] })
    expect(blame?.sentence).toContain(`It heals with the reference as ${part}, and as no other part`)
    const healing = blame?.tries.filter(({ verdict }) => verdict === 'pass').map(({ replaced }) => replaced)
    expect(healing).toEqual([[part]])
  })
})

describe('the reference takes the form of the part that it replaces, so that the faulty one is named', () => {
  test.each([
    ['mint/userId deep in the claims', 'part'],
    ['mint/token deep in the body', 'part'],
    ['signaling/encrypted directly', 'unknown'],
  ])('beside %s: %s', async (name, conclusion) => {
    const { variant } = conforming.get(name) ?? {}
    if (variant === undefined) throw new Error(`no conforming variant is called ${name}`)
    const blame = await blameOf('FLOW-01', {
      ...variant,
      backend: { ...variant.backend, ...backendCutsToken },
    })
    expect(blame).toMatchObject({ conclusion, parts: ['backend'] })
  })

  test('with sessions that are JWTs', async () => {
    const { 'takes unsigned sessions': variant } = findCheck('BACK-20', catalogue).catches
    const blame = await blameOf('BACK-20', variant ?? {})
    expect(blame).toMatchObject({ conclusion: 'part', parts: ['backend'] })
  })
})

describe('names two parts where each has a fault', () => {
  test.each<[string, Omit<Catch, 'as'>, readonly string[]]>([
    ['FLOW-02', { mint: mintPrefixesId, backend: backendFoldsId }, ['mint', 'backend']],
    ['FLOW-01', { backend: backendCutsToken, signaling: signalingRejectsBob }, ['backend', 'signaling']],
  ])('for %s', async (id, variant, parts) => {
    const blame = await blameOf(id, variant)
    expect(blame).toMatchObject({ conclusion: 'parts', parts })
    const singles = blame?.tries.filter(({ replaced }) => replaced.length === 1)
    expect(singles?.map(({ verdict }) => verdict)).toEqual(['fail', 'fail', 'fail'])
  })
})

const flow = { ...defineCheck(templateOf('FLOW-01')), needs: ['backend'] as const }
function templateOf(id: string): AnyCheck & { needs: never[] } {
  return { ...findCheck(id, catalogue), needs: [] }
}

describe('names no part', () => {
  test('where it fails with nothing but references', async () => {
    const impossible: AnyCheck = {
      ...flow,
      run: async (_, judge) => void judge.must(false, { saw: 'a', expected: 'b', fix: 'c' }),
    }
    const { blame } = await blameVariant(impossible, {})
    expect(blame).toMatchObject({ conclusion: 'none', parts: [] })
    expect(blame?.tries.at(-1)).toMatchObject({
      replaced: ['mint', 'backend', 'signaling'],
      verdict: 'fail',
    })
  })

  test('where it passes when it is judged again', async () => {
    let tries = 0
    const unsteady: AnyCheck = {
      ...flow,
      async run(_, judge) {
        tries += 1
        judge.must(tries > 1, { saw: 'a', expected: 'b', fix: 'c' })
      },
    }
    const { blame } = await blameVariant(unsteady, {})
    expect(blame).toMatchObject({ conclusion: 'unknown', parts: [] })
    expect(blame?.tries).toEqual([{ replaced: [], verdict: 'pass', detail: null }])
  })

  test('where signaling accepts no token: the mint may issue what it rightly rejects', async () => {
    const blame = await blameOf('FLOW-01', {
      mint: {
        claims: ({ userId }, { issuedAt, expiresAt }) => ({
          aud: 'another service',
          sub: userId,
          iat: issuedAt,
          exp: expiresAt,
        }),
      },
    })
    expect(blame).toMatchObject({ conclusion: 'unknown', parts: ['signaling'] })
    expect(blame?.sentence).toContain('signaling accepts no token at all')
  })

  test('where signaling does not trust the key for the reference as mint', async () => {
    const blame = await blameOf('FLOW-01', {
      backend: backendCutsToken,
      configuration: { token: { signWith: { alg: 'HS256', privateKey: null, secret: 'another-secret' } } },
    })
    expect(blame).toMatchObject({ conclusion: 'unknown', parts: ['backend'] })
    expect(blame?.tries).toContainEqual({
      replaced: ['mint'],
      verdict: null,
      detail: 'not possible: signaling accepts no token of the reference',
    })
  })

  test('where a part cannot be replaced, and says why', async () => {
    const blame = await blameOf('FLOW-01', { backend: backendCutsToken, withoutDouble: true })
    expect(blame).toMatchObject({ conclusion: 'unknown', parts: ['backend'] })
    expect(blame?.sentence).toBe(
      'It heals with the reference as backend; the mint could not be replaced and is not ruled out.',
    )
    expect(blame?.tries).toContainEqual({
      replaced: ['mint'],
      verdict: null,
      detail: 'not possible: the backend calls its own mint; needs backend.fakeMint',
    })
  })

  test('where judging again would change the implementation for good', async () => {
    const lasting: AnyCheck = {
      ...flow,
      needs: ['signOutHook'],
      run: async (_, judge) => void judge.must(false, { saw: 'a', expected: 'b', fix: 'c' }),
    }
    const { blame } = await blameVariant(lasting, {})
    expect(blame).toMatchObject({ conclusion: 'unknown', tries: [] })
    expect(blame?.sentence).toContain('changes the implementation for good')
  })
})

test('a requirement that rests on one part alone gets no blame', async () => {
  const [mints] = await loadCatalogue(['mint'])
  const broken = { ...flow, role: mints?.role ?? 'mint', id: 'MINT-X' } satisfies AnyCheck
  const { verdict, blame } = await blameVariant(
    { ...broken, run: async (_, judge) => void judge.must(false, { saw: 'a', expected: 'b', fix: 'c' }) },
    {},
  )
  expect({ verdict, blame }).toEqual({ verdict: 'fail', blame: null })
})
