import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { basename, join, relative } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { walkFiles } from '../../audit/src/api.ts'
import { createRedactor } from '../base/evidence/redact.ts'
import type { SecretKind } from '../base/evidence/secret-label.ts'
import type { Configuration } from '../configuration/configuration.ts'
import { registerSecrets, userSecrets } from '../configuration/register-secrets.ts'
import type { JudgedSubject, RunResults, StartedPart } from '../reports/results.ts'
import { sha256 } from '../reports/results-digest.ts'
import { listSessions } from '../roles/backend/types.ts'

const secretKinds: readonly SecretKind[] = ['api-key', 'session', 'secret', 'calling-jwt']

/**
 * The digest of the configuration file that a command names `config`. Secrets that are written in it are left out of what is
 * hashed: a plain hash would let readers of a report try passwords.
 */
export async function digestConfiguration(
  configuration: Configuration,
  config: string | undefined,
): Promise<Pick<RunResults, 'configDigest'>> {
  if (config === undefined) return {}
  const text = await readFile(join(configuration.directory, basename(config)), 'utf8').catch(() => null)
  if (text === null) return {}
  const redactor = createRedactor()
  registerSecrets(configuration, redactor)
  const short = listSessions(configuration.backend?.sessions ?? {}).map(({ token }) => token)
  const secrets = [...secretKinds.flatMap(redactor.known), ...userSecrets(configuration), ...short]
    .filter((secret) => secret !== '')
    .toSorted((left, right) => right.length - left.length || (left < right ? -1 : 1))
  return { configDigest: sha256(secrets.reduce((left, secret) => left.replaceAll(secret, ''), text)) }
}

/** The files and images that a run has judged. A hosted service has no digest. */
export async function listSubjects(
  { directory, bundle }: Pick<Configuration, 'directory' | 'bundle'>,
  { checks, startedAt }: Pick<RunResults, 'checks' | 'startedAt'>,
  parts: readonly Pick<StartedPart, 'part' | 'image'>[],
): Promise<Pick<RunResults, 'subjects'>> {
  const judged = new Set<string>(
    checks
      .filter(({ verdict }) => !['untested', 'not-applicable', 'error'].includes(verdict))
      .map(({ role }) => role),
  )
  const files: JudgedSubject[] = []
  for (const root of judged.has('bundle') ? (bundle?.paths ?? []) : [])
    files.push(...(await digestFiles(root, directory, Date.parse(startedAt))))
  const images = parts.filter(({ part }) => judged.has(part)).flatMap(({ image }) => digestOfImage(image))
  const subjects = [...files, ...images]
  return subjects.length === 0 ? {} : { subjects }
}

/** Leaves out files that have changed since the run began: they may not be what was judged. */
async function digestFiles(root: string, directory: string, begun: number): Promise<JudgedSubject[]> {
  const within = relative(directory, root)
  const name = within === '' || within.startsWith('..') ? basename(root) : within
  const subjects: JudgedSubject[] = []
  // Paths that were judged and are no longer there have no digest.
  if ((await stat(root).catch(() => null)) === null) return subjects
  for (const { path, location } of walkFiles(root, name.replaceAll('\\', '/'), { gap() {}, name() {} })) {
    const hash = createHash('sha256')
    const isWhole = await pipeline(createReadStream(path), hash).then(
      () => stat(path).then(({ ctimeMs }) => ctimeMs <= begun),
      () => false,
    )
    if (isWhole) subjects.push({ name: String(location), sha256: hash.digest('hex') })
  }
  return subjects
}

/** An image that is named by its digest. A tag may mean another image tomorrow. */
function digestOfImage(image: string | undefined): JudgedSubject[] {
  const [name, digest] = image?.split('@sha256:') ?? []
  return name === undefined || digest === undefined ? [] : [{ name, sha256: digest }]
}
