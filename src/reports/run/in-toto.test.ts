import { generateKeyPairSync, sign } from 'node:crypto'
import { crypto, dsse, json } from '@sigstore/core'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Outcome, Verdict } from '../../base/verdict.ts'
import { version } from '../../base/version.ts'
import type { RunResults } from '../results.ts'
import { canonicalJson, sha256 } from '../results-digest.ts'
import { frozenRun, frozenText } from '../testing/frozen-run.ts'
import { renderInToto } from './in-toto.ts'

const file = { name: 'dist/app.js', sha256: sha256('the app') }
const run: RunResults = { ...frozenRun, configDigest: sha256('name: acme\n'), subjects: [file] }
const statement = JSON.parse(renderInToto(run, frozenText))

const hex = z.string().regex(/^[0-9a-f]+$/)
const digest = z
  .looseObject({ sha256: hex.length(64).optional() })
  .refine((set) => Object.keys(set).length > 0)
/** A resource descriptor, as version 1 of the attestation framework specifies it. */
const descriptor = z
  .strictObject({
    name: z.string().optional(),
    uri: z.url().optional(),
    digest: digest.optional(),
    content: z.base64().optional(),
    downloadLocation: z.url().optional(),
    mediaType: z.string().optional(),
    annotations: z.record(z.string(), z.json()).optional(),
  })
  .refine(({ uri, digest: set, content }) => (uri ?? set ?? content) !== undefined)
/**
 * The statement of version 1, with version 0.1 of the predicate test-result. It is published as protobuf, in no package of npm or
 * Debian, so it is stated here. On 27 November 2026 the statement was checked by hand with protobufjs against the three
 * published files (in-toto/attestation, 051624c): every member is a field of its type, and a foreign member is none.
 */
const published = z.strictObject({
  _type: z.literal('https://in-toto.io/Statement/v1'),
  subject: z.array(descriptor.refine((one) => one.digest !== undefined, 'a subject needs a digest')).min(1),
  predicateType: z.literal('https://in-toto.io/attestation/test-result/v0.1'),
  predicate: z.strictObject({
    result: z.enum(['PASSED', 'WARNED', 'FAILED']),
    configuration: z.array(descriptor),
    url: z.url().optional(),
    passedTests: z.array(z.string()).optional(),
    warnedTests: z.array(z.string()).optional(),
    failedTests: z.array(z.string()).optional(),
  }),
})

test('breaks nothing of the published shape', () => {
  expect(published.safeParse(statement).error).toBeUndefined()
  const [{ digest: _, ...nameless }] = statement.subject
  expect(published.safeParse({ ...statement, subject: [nameless] }).success).toBe(false)
})

test('names the results as they were read, the files that were judged, and the configuration', () => {
  expect(statement.subject).toEqual([
    { name: 'results.json', digest: { sha256: sha256(frozenText) } },
    { name: file.name, digest: { sha256: file.sha256 } },
  ])
  const [tool, configuration] = statement.predicate.configuration
  expect(tool).toMatchObject({
    uri: `pkg:npm/twotoken@${version}`,
    annotations: { target: run.target, outcome: 'nonconformant', seed: run.seed },
  })
  expect(configuration.digest).toEqual({ sha256: run.configDigest })
})

test('a requirement that was not judged is in no list', () => {
  const { passedTests, warnedTests, failedTests } = statement.predicate
  const listed = [...passedTests, ...warnedTests, ...failedTests].toSorted()
  const judged = run.checks.filter(({ verdict }) => !['untested', 'not-applicable'].includes(verdict))
  expect(listed).toEqual(judged.map(({ id }) => id).toSorted())
  expect(failedTests).toContain('MINT-04')
})

describe('result', () => {
  const [check] = frozenRun.checks
  if (check === undefined) throw new Error('the frozen run has no checks')
  test.each<[Outcome, Verdict, string]>([
    ['conformant', 'pass', 'PASSED'],
    ['conformant', 'warn', 'WARNED'],
    ['nonconformant', 'fail', 'FAILED'],
    ['incomplete', 'pass', 'FAILED'],
    ['error', 'pass', 'FAILED'],
  ])('a run that is %s with %s has the result %s', (outcome, verdict, result) => {
    const text = renderInToto({ ...run, outcome, checks: [{ ...check, verdict }] }, frozenText)
    expect(JSON.parse(text).predicate.result).toBe(result)
  })
})

test('is signed and verified as DSSE with a local key', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const type = 'application/vnd.in-toto+json'
  const payload = Buffer.from(renderInToto(run, frozenText))
  const signature = sign('sha256', dsse.preAuthEncoding(type, payload), privateKey)
  const key = crypto.createPublicKey(publicKey.export({ format: 'pem', type: 'spki' }).toString())
  const isSigned = (content: Buffer) =>
    crypto.verify(dsse.preAuthEncoding(type, content), key, signature, 'sha256')
  expect(isSigned(payload)).toBe(true)
  expect(isSigned(Buffer.from(payload.toString().replace('"FAILED"', '"PASSED"')))).toBe(false)
})

test('the digest of results is made of the same canonical JSON as that of a signer', () => {
  const value = {
    ...run,
    observations: { 10: 'é\u2028', 9: [1e21, -0, 0.1, null], '\ud83d\ude00': {}, '\uff01': '' },
  }
  const plain = JSON.parse(JSON.stringify(value))
  expect(canonicalJson(value)).toBe(json.canonicalize(plain))
})
