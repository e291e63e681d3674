import { resolve } from 'node:path'
import { processSecrets } from '../../base/evidence/secrets.ts'
import { onOneLine } from '../../base/printable.ts'
import { tellingIn } from '../../base/told-wait.ts'
import type { Configuration } from '../../configuration/configuration.ts'
import { variablesOf } from '../../configuration/load.ts'
import { roles } from '../../requirement/define.ts'
import type { RunEnvironment } from '../../run/options.ts'
import { preflight } from '../../run/preflight/preflight.ts'
import type { Problem } from '../../run/preflight/problem.ts'
import { loadStarted } from '../../run/prepare-configuration.ts'
import { rejectOnAbort } from '../../run/provision/concurrency.ts'
import { createDoubleCertificate, resultsIn } from '../../run/write-artefacts.ts'
import { interruptible } from '../environment.ts'

type DoctorEnvironment = Pick<RunEnvironment, 'directory' | 'variables' | 'stdout' | 'stderr'> &
  Partial<Pick<RunEnvironment, 'onInterrupt'>>

const startNote = 'started as run would start it, and ended afterwards'
const parts = ['mint', 'backend', 'signaling', 'client', 'token', 'clock'] as const
/** Told only where they have a problem. */
const others = ['logs'] as const

/** `twotoken doctor`: reports what in the configuration would keep a run from judging. Returns 2 where something does. */
export const doctor = interruptible(
  async (
    { config = 'twotoken.yaml' }: { readonly config?: string | undefined },
    { directory, variables, stdout, stderr }: DoctorEnvironment,
    signal,
  ) => {
    const file = resolve(directory, config)
    await using stack = new AsyncDisposableStack()
    // A part that runs already trusts the authority of an earlier run.
    const beforeStart = async (draft: Configuration) =>
      draft.start === undefined
        ? {}
        : await createDoubleCertificate(draft, resultsIn(draft.directory), stderr)
    const loading = { variables, stderr, signal, contactedBy: roles, beforeStart }
    const { configuration, provisioned, certificate } = await loadStarted(file, loading, stack)
    const tellWait = tellingIn(stderr)
    const hide = (message: string) => message
    const asking = preflight(configuration, { ...certificate, parts: roles, tellWait, hide })
    const problems = await rejectOnAbort(asking, signal)
    if (provisioned !== null) stdout.write(`${formatLine('start', 'ok', startNote)}\n`)
    const written = await showAsWritten(file, variables)
    stdout.write(written(renderDiagnosis(configuration, problems)))
    return problems.some(({ fatal }) => fatal) ? 2 : 0
  },
)

/** Shorter ones would stand for too much by chance. */
const shortestValue = 3

/** Hides secrets, and puts the names of variables in the place of their values: what is kept out of the file may be a secret. */
async function showAsWritten(file: string, variables: NodeJS.ProcessEnv): Promise<(text: string) => string> {
  const known = (await variablesOf(file, variables))
    .filter(({ value }) => value.length >= shortestValue)
    .toSorted((left, right) => right.value.length - left.value.length)
  return (text) =>
    processSecrets.text(
      known.reduce((shown, { name, value }) => shown.replaceAll(value, () => `\${${name}}`), text),
    )
}

function renderDiagnosis(configuration: Configuration, problems: readonly Problem[]): string {
  const told = (part: Problem['part']) =>
    problems
      .filter((problem) => problem.part === part)
      .map(({ fatal, message }) => formatLine(part, fatal ? 'wrong' : 'note', message))
  const lines = [
    ...parts.flatMap((part) => {
      const own = told(part)
      return own.length > 0 ? own : [formatLine(part, ...describePart(part, configuration, problems))]
    }),
    ...others.flatMap(told),
  ]
  return `${lines.join('\n')}\n${conclude(problems)}\n`
}

function conclude(problems: readonly Problem[]): string {
  const fatal = problems.filter((problem) => problem.fatal).length
  if (fatal > 0) return `${fatal} ${fatal === 1 ? 'problem' : 'problems'} to fix before twotoken run`
  const unserved = problems.filter(({ kind }) => kind === 'unserved').map(({ part }) => `the ${part}`)
  return unserved.length === 0
    ? 'ready to run'
    : `a run can start, but ${unserved.join(' and ')} gave no token for an ordinary request: their requirements will fail`
}

function formatLine(part: string, state: string, text: string): string {
  return `${part.padEnd(10)} ${state.padEnd(6)} ${onOneLine(text)}`
}

function describePart(
  part: (typeof parts)[number],
  configuration: Configuration,
  problems: readonly Problem[],
): [state: string, text: string] {
  const addresses = addressesOf(configuration)
  if (part === 'token') {
    const { jwks, signWith } = configuration.token
    return jwks === undefined && signWith === undefined
      ? ['–', 'token.jwks and token.signWith are not configured: requirements that need them stay untested']
      : ['ok', jwks ?? 'token.signWith']
  }
  if (part === 'clock') {
    const unreached = problems.filter(({ fatal }) => fatal).map((problem) => problem.part)
    const isReached = (peer: 'mint' | 'backend') => addresses[peer] !== undefined && !unreached.includes(peer)
    return isReached('mint') || isReached('backend')
      ? ['ok', 'in sync with this machine']
      : ['–', 'not compared: no peer was reached']
  }
  const address = addresses[part]
  return address === undefined ? ['–', 'not in the file: its requirements are not judged'] : ['ok', address]
}

function addressesOf({ mint, backend, signaling, client }: Configuration) {
  const { by, host, port } = client?.observe ?? {}
  const device = `a device, for run --observe: ${by === 'proxy' ? 'its proxy' : 'the doubles'} at ${host}:${port}`
  return {
    mint: mint?.url,
    backend: backend?.url,
    signaling: signaling?.url,
    client: client?.url ?? client?.command ?? (by && device),
  }
}
