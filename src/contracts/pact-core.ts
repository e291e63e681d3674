import { spawn } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { devNull } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { TwotokenError } from '../base/errors.ts'
import { explainMissing } from '../base/optional-package.ts'
import { openTempFolder } from '../base/temp-folder.ts'

export interface Mismatch {
  readonly part: 'status' | 'header' | 'body' | 'other'
  /** The name of a header, the path in a body, or empty. */
  readonly at: string
  readonly expected: string
  readonly actual: string
  readonly text: string
}

export interface CoreResult {
  readonly description: string
  readonly ok: boolean
  readonly mismatches: readonly Mismatch[]
  readonly error: string | null
}

export type Core = (options: {
  readonly pacts: readonly Readonly<Record<string, unknown>>[]
  readonly provider: string
  readonly port: number
  readonly stateUrl: string
  /** Bounds one request, a state change included. */
  readonly requestMs: number
  readonly totalMs: number
}) => Promise<CoreResult[]>

/**
 * The Pact core's own verifier. What it finds is read from its report: its exit code is 0 for an empty folder, too.
 * @throws TwotokenError `internal` where it cannot be started or leaves no report
 */
export const pactVerifier: Core = async ({ pacts, provider, port, stateUrl, requestMs, totalMs }) => {
  await using folder = await openTempFolder()
  const files = await Promise.all(
    pacts.map(async (pact, index) => {
      const file = join(folder.path, `${index}.json`)
      // Readable for its owner only: state parameters of a pact may contain credentials.
      await writeFile(file, JSON.stringify(pact), { mode: 0o600 })
      return ['--file', file]
    }),
  )
  const report = join(folder.path, 'report')
  const args = [
    ...files.flat(),
    ...['--hostname', '127.0.0.1', '--port', String(port), '--provider-name', provider],
    ...['--state-change-url', stateUrl, '--state-change-teardown'],
    ...['--request-timeout', String(requestMs), '--json', report, '--no-colour', '--loglevel', 'none'],
  ]
  await runToEnd(pactProgram(), ['verifier', ...args], totalMs)
  const text = await readFile(report, 'utf8').catch((cause: unknown) => {
    throw new TwotokenError('internal', 'the Pact verifier exited without a report', cause)
  })
  return parseResults(JSON.parse(text))
}

/** The program that the Pact command line ships for this machine; throws `precondition` where it is not installed. */
export function pactProgram(): string {
  const system = process.platform === 'win32' ? 'windows' : process.platform
  const ofMachine = `${pactPackage}-${system}-${process.arch}`
  let found: string
  try {
    found = import.meta.resolve(`${pactPackage}/package.json`)
  } catch (error) {
    throw explainMissing(error, pactPackage, 'the verification of contracts')
  }
  const fromCli = createRequire(found)
  try {
    const manifest = fromCli.resolve(`${ofMachine}/package.json`)
    return join(manifest, '..', 'standalone', process.platform === 'win32' ? 'pact.exe' : 'pact')
  } catch (error) {
    throw new TwotokenError(
      'precondition',
      `the Pact verifier for ${system}-${process.arch} is not installed: install ${pactPackage} with its optional dependencies`,
      error,
    )
  }
}

const pactPackage = '@pact-foundation/pact-cli'

/** Waits for the program's end. What it prints is never shown: it prints credentials. */
function runToEnd(file: string, args: readonly string[], totalMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, {
      stdio: 'ignore',
      // It speaks plain http to loopback alone: without the system's certificates, which it would read anew for
      // every interaction, it takes a quarter of the time. Nothing of the caller's PACT_… variables narrows it.
      env: { PACT_DO_NOT_TRACK: 'true', SSL_CERT_FILE: devNull, SSL_CERT_DIR: '' },
      signal: AbortSignal.timeout(totalMs),
    })
    child.on('error', (error) => {
      const why =
        error.name === 'AbortError' ? `did not exit within ${totalMs / 1000} s` : 'cannot be started'
      reject(new TwotokenError('internal', `the Pact verifier ${why}`, error))
    })
    child.on('close', () => resolve())
  })
}

const reported = z.looseObject({
  interactionResults: z.array(z.looseObject({ description: z.string(), result: z.string() })).default([]),
  errors: z
    .array(
      z.looseObject({
        interaction: z.string(),
        mismatch: z.looseObject({
          message: z.string().optional(),
          mismatches: z.array(z.record(z.string(), z.unknown())).default([]),
        }),
      }),
    )
    .default([]),
})

function parseResults(report: unknown): CoreResult[] {
  const { interactionResults, errors } = reported.parse(report)
  return interactionResults.map(({ description, result }) => {
    const found = errors.find(({ interaction }) => interaction.endsWith(description))?.mismatch
    return {
      description,
      ok: result === 'OK' && found === undefined,
      mismatches: found?.mismatches.map(mismatchOf) ?? [],
      error: found !== undefined && found.mismatches.length === 0 ? (found.message ?? 'unknown error') : null,
    }
  })
}

const parts: Readonly<Record<string, Mismatch['part']>> = {
  StatusMismatch: 'status',
  HeaderMismatch: 'header',
  BodyMismatch: 'body',
  BodyTypeMismatch: 'body',
}

function mismatchOf(found: Readonly<Record<string, unknown>>): Mismatch {
  const text = (name: string) => {
    const value = found[name]
    return typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value)
  }
  return {
    part: parts[text('type')] ?? 'other',
    at: text('path') || text('key') || text('parameter'),
    expected: text('expected'),
    actual: text('actual'),
    text: text('mismatch'),
  }
}
