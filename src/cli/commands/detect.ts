import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { Document, parseDocument, visit } from 'yaml'
import { TwotokenError } from '../../base/errors.ts'
import { onOneLine } from '../../base/printable.ts'
import { tellingIn } from '../../base/told-wait.ts'
import { writeFileWhole } from '../../base/write-file.ts'
import { type Detection, detect as detectProfile } from '../../detect/detect.ts'
import { inertJson } from '../../reports/escape.ts'
import type { SignalingProfile } from '../../roles/signaling/profile.ts'
import type { RunEnvironment } from '../../run/options.ts'
import { preflight } from '../../run/preflight/preflight.ts'
import { loadStarted } from '../../run/prepare-configuration.ts'
import { rejectOnAbort } from '../../run/provision/concurrency.ts'
import { interruptible } from '../environment.ts'

/** `twotoken detect`: tries the common ways in which a token travels to signaling. Returns 0 where one works, else 3. */
export const detect = interruptible(
  async (
    options: { readonly config?: string | undefined; readonly write: boolean },
    { directory, variables, stderr, stdout }: RunEnvironment,
    signal,
  ) => {
    const file = resolve(directory, options.config ?? 'twotoken.yaml')
    await using stack = new AsyncDisposableStack()
    const loading = { variables, stderr, signal, contactedBy: ['signaling'] as const }
    const { configuration } = await loadStarted(file, loading, stack)
    const { signaling, limits } = configuration
    if (signaling === undefined)
      throw new TwotokenError('configuration', `${file} configures no signaling: add signaling.url`)
    if (options.write && signaling.access !== undefined)
      throw new TwotokenError(
        'usage',
        `${file} already has a signaling profile or adapter: remove it, or remove --write`,
      )
    // A profile that is wrong is a reason to detect one.
    const { access: _, ...unknown } = signaling
    const described = { ...configuration, signaling: unknown }
    const asking = preflight(described, { parts: ['signaling'], tellWait: tellingIn(stderr) })
    const problems = await rejectOnAbort(asking, signal)
    const fatal = problems.filter((problem) => problem.fatal)
    if (fatal.length > 0)
      throw new TwotokenError(
        'precondition',
        `detection did not start:\n  ${fatal.map(({ part, message }) => `${part}: ${onOneLine(message)}`).join('\n  ')}`,
      )
    // Where the tokens come from the backend, what it lacks decides whether anything can be detected.
    for (const { part, message } of problems)
      if (part === 'backend') stderr.write(`${part}: ${onOneLine(message)}\n`)
    const detecting = detectProfile(described, {
      signal,
      maxMints: limits.maxMints,
      onProgress: (what) => void stderr.write(`trying ${onOneLine(what)}\n`),
    })
    const detection = await rejectOnAbort(detecting, signal)
    stdout.write(describeDetection(detection))
    if ('missing' in detection.signaling) return 3
    if (options.write) await writeProfile(detection.signaling.found.profile, file, stderr)
    return 0
  },
)

/** A fragment of `twotoken.yaml`, with the facts as comments. */
export function describeDetection({ signaling, mints }: Detection): string {
  if ('missing' in signaling) return inertJson(`# nothing detected: ${onOneLine(signaling.missing)}\n`)
  const { profile, letsDamagedIn } = signaling.found
  const facts = [
    `detected with ${mints} calling tokens: review it before you rely on it`,
    ...(profile.unauthorized.length === 0
      ? ['no rejection names 401: add the sign that your clients handle as 401 to unauthorized']
      : []),
    ...(letsDamagedIn
      ? [
          'WARNING: a token with a damaged signature was accepted: signatures are not verified, or the profile is wrong',
        ]
      : []),
  ]
  const document = new Document({ signaling: { profile: toWritten(profile) } })
  quoteActive(document)
  const text = document.toString({ lineWidth: 0, doubleQuotedAsJSON: true })
  return inertJson(`${facts.map((fact) => `# ${fact}\n`).join('')}${text}`)
}

/** A profile as a user would write it, without its empty samples. */
function toWritten({ samples: _, ...profile }: SignalingProfile): unknown {
  return profile
}

/** Characters that a service may have put into a value, and that a terminal or a CI system would follow. */
const active = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|##/u

function quoteActive(document: Document): void {
  visit(document, {
    Scalar(_, scalar) {
      if (typeof scalar.value === 'string' && active.test(scalar.value)) scalar.type = 'QUOTE_DOUBLE'
    },
  })
}

/** Adds the profile to the file; comments stay. */
async function writeProfile(
  profile: SignalingProfile,
  file: string,
  stderr: RunEnvironment['stderr'],
): Promise<void> {
  const document = parseDocument(await readFile(file, 'utf8'))
  document.setIn(['signaling', 'profile'], document.createNode(toWritten(profile)))
  quoteActive(document)
  await writeFileWhole(file, document.toString({ lineWidth: 0, doubleQuotedAsJSON: true }))
  stderr.write(`written to ${file}: signaling.profile\n`)
}
