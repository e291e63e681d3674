import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openTempFolder } from '../base/temp-folder.ts'
import { loadConfiguration } from '../configuration/load.ts'
import { sha256 } from '../reports/results-digest.ts'
import { frozenRun } from '../reports/testing/frozen-run.ts'
import { digestConfiguration, listSubjects } from './judged-subjects.ts'

const [check] = frozenRun.checks
if (check === undefined) throw new Error('the frozen run has no checks')
const judged = (role: 'bundle' | 'backend', verdict: 'pass' | 'untested' = 'pass') => ({
  checks: [{ ...check, role, verdict }],
  startedAt: '2100-01-01T00:00:00.000Z',
})

async function bundle(directory: string) {
  await mkdir(join(directory, 'dist/js'), { recursive: true })
  await writeFile(join(directory, 'dist/js/app.js'), 'one')
  await writeFile(join(directory, 'app.apk'), 'two')
  return { directory, bundle: { paths: [join(directory, 'dist'), join(directory, 'app.apk')] } }
}

test('the files of a judged bundle have their digests, by paths from the configuration', async () => {
  await using folder = await openTempFolder()
  const configuration = await bundle(folder.path)
  expect(await listSubjects(configuration, judged('bundle'), [])).toEqual({
    subjects: [
      { name: 'dist/js/app.js', sha256: sha256('one') },
      { name: 'app.apk', sha256: sha256('two') },
    ],
  })
  const elsewhere = { ...configuration, directory: join(folder.path, 'other') }
  const { subjects } = await listSubjects(elsewhere, judged('bundle'), [])
  expect(subjects?.map(({ name }) => name)).toEqual(['dist/js/app.js', 'app.apk'])
})

test('a bundle that was not judged, or has changed since, has none', async () => {
  await using folder = await openTempFolder()
  const configuration = await bundle(folder.path)
  expect(await listSubjects(configuration, judged('backend'), [])).toEqual({})
  expect(await listSubjects(configuration, judged('bundle', 'untested'), [])).toEqual({})
  const earlier = { ...judged('bundle'), startedAt: '2000-01-01T00:00:00.000Z' }
  expect(await listSubjects(configuration, earlier, [])).toEqual({})
})

test('an image that is named by its digest is a subject, one with a tag alone is not', async () => {
  const configuration = { directory: '/' }
  const sha = 'a'.repeat(64)
  const parts = (image: string) => [{ part: 'backend', image }]
  expect(await listSubjects(configuration, judged('backend'), parts(`shop/api:3@sha256:${sha}`))).toEqual({
    subjects: [{ name: 'shop/api:3', sha256: sha }],
  })
  expect(await listSubjects(configuration, judged('backend'), parts('shop/api:3'))).toEqual({})
  expect(await listSubjects(configuration, judged('bundle'), parts(`shop/api@sha256:${sha}`))).toEqual({})
})

test('the digest of a configuration is that of its file, and does not depend on the secrets in it', async () => {
  await using folder = await openTempFolder()
  const file = join(folder.path, 'twotoken.yaml')
  const digestWith = async (key: string, environment: NodeJS.ProcessEnv = {}) => {
    const text = `name: acme\nmint: { url: "https://mint.acme.example", apiKey: "${key}" }\n`
    await writeFile(file, text)
    const { configDigest } = await digestConfiguration(await loadConfiguration(file, environment), file)
    return { configDigest, text }
  }
  const named = await digestWith('$' + '{KEY}', { KEY: 'ac_live_4f9aB27cD1e80GhT55kLmN' })
  expect(named.configDigest).toBe(sha256(named.text))
  const [one, other] = [await digestWith('ac_live_4f9aB27cD1e80GhT55kLmN'), await digestWith('hunter2')]
  expect(one.configDigest).toBe(other.configDigest)
  expect(one.configDigest).not.toBe(named.configDigest)
})
