import type { Verdict } from '../../base/verdict.ts'
import { writeJson } from '../escape.ts'
import { type RunResults, usualConfiguration } from '../results.ts'
import { sha256 } from '../results-digest.ts'

/**
 * The statement of in-toto's predicate `test-result`, for a signer to sign. Its subjects are `results.json`, as the record of
 * services that have no digest, and the files and images that were judged. It is PASSED or WARNED only for a conformant run:
 * the predicate has no word for an incomplete one.
 */
export function renderInToto(run: RunResults, json: string): string {
  const { tool, config, configDigest, startedAt, outcome, seed, subjects = [] } = run
  const named = (...verdicts: readonly Verdict[]) =>
    run.checks.filter(({ verdict }) => verdicts.includes(verdict)).map(({ id }) => id)
  const warnedTests = named('warn')
  const conformant = warnedTests.length > 0 ? 'WARNED' : 'PASSED'
  return writeJson({
    _type: 'https://in-toto.io/Statement/v1',
    subject: [{ name: 'results.json', sha256: sha256(json) }, ...subjects].map(describe),
    predicateType: 'https://in-toto.io/attestation/test-result/v0.1',
    predicate: {
      result: outcome === 'conformant' ? conformant : 'FAILED',
      configuration: [
        {
          name: tool.name,
          uri: `pkg:npm/${tool.name}@${tool.version}`,
          annotations: { target: run.target, outcome, seed, startedAt },
        },
        ...(configDigest === undefined
          ? []
          : [describe({ name: config ?? usualConfiguration, sha256: configDigest })]),
      ],
      passedTests: named('pass', 'info'),
      warnedTests,
      failedTests: named('fail', 'error'),
    },
  })
}

function describe({ name, sha256: digest }: { readonly name: string; readonly sha256: string }) {
  return { name: name, digest: { sha256: digest } }
}
