import { onOneLine } from '../../base/printable.ts'
import { parseResults, readResultsText } from '../../reports/read-results.ts'
import type { RunResults } from '../../reports/results.ts'
import { digestOf } from '../../reports/results-digest.ts'
import type { Output } from '../output/output.ts'

/**
 * `twotoken verify-report`: checks that results are whole, and as they were written. Returns 1 for changed ones, and 3 for
 * those without a digest.
 * @throws TwotokenError `usage` for a file that is missing, truncated, of another tool, or contradicts itself
 */
export async function verifyReport({ file }: { readonly file: string }, { stdout }: Output): Promise<number> {
  const text = await readResultsText(file)
  const results = parseResults(text, file)
  const say = (line: string) => void stdout.write(`${onOneLine(line)}\n`)
  if (results.digest === undefined) {
    say(`${file} has no digest: it was written by an earlier version, or the digest was removed; run again`)
    return 3
  }
  // Fields that only a later version knows count as well.
  const found = digestOf(JSON.parse(text.replace(/^\uFEFF/, '')))
  if (found !== results.digest) {
    say(
      `${file} was changed after it was written: its content has the digest ${found}, expected ${results.digest}; take the file from the run again`,
    )
    return 1
  }
  say(`${file} is whole and unchanged since it was written`)
  for (const line of linesOf(results)) stdout.write(`  ${onOneLine(line)}\n`)
  return 0
}

function linesOf(results: RunResults): string[] {
  const { tool, startedAt, seed, config, configDigest, shard, subjects = [], digest } = results
  return [
    `twotoken ${tool.version}, started ${startedAt}, seed ${seed}`,
    config === undefined ? 'no configuration file' : `${config}, SHA-256 ${configDigest ?? 'not recorded'}`,
    ...(shard === undefined ? [] : [`only shard ${shard.index}/${shard.count}`]),
    ...(results.interrupted ? ['interrupted'] : []),
    ...subjects.map(({ name, sha256 }) => `judged ${name}, SHA-256 ${sha256}`),
    `${results.outcome}, ${results.checks.length} requirements, digest ${digest}`,
  ]
}
