import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { digestOf } from '../../src/reports/results-digest.ts'
import { frozenText } from '../../src/reports/testing/frozen-run.ts'

export type Program = 'audit' | 'twotoken'

/** A command that needs no test runner. */
export interface Case {
  readonly program: Program
  readonly args: readonly string[]
  readonly code: number
  /** Files that it writes. */
  readonly reads?: readonly string[]
}

/** Files that commands are given, in the folder in which they run; bundles and samples are beside them. */
export async function prepareFiles(folder: string): Promise<void> {
  const run = JSON.parse(frozenText)
  for (const target of ['eu', 'us']) {
    const named = { ...run, target }
    await mkdir(join(folder, 'nights', target), { recursive: true })
    await writeFile(
      join(folder, 'nights', target, 'results.json'),
      JSON.stringify({ ...named, digest: digestOf(named) }),
    )
  }
  await writeFile(
    join(folder, 'list.txt'),
    'bundles/clean\nbundles/inlined\nbundles/electron\nbundles/flutter\n',
  )
  await writeFile(join(folder, 'package.json'), '{"dependencies":{"express":"^5.0.0"}}')
}

const results = 'nights/eu/results.json'
const audit = (code: number, ...args: string[]): Case => ({ program: 'audit', args, code })
const twotoken = (code: number, args: readonly string[], reads: readonly string[] = []): Case => ({
  ...{ program: 'twotoken', args, code, reads },
})

export const cases: readonly Case[] = [
  audit(0, 'bundles/clean'),
  audit(2, 'nowhere'),
  ...['text', 'json', 'sarif', 'junit', 'html'].map((format) => audit(1, 'bundles', '--format', format)),
  audit(1, 'samples', '--format', 'json'),
  audit(0, 'bundles/react-native-plain', '--self-test', '--allow-incomplete'),
  audit(1, '--list', 'list.txt', '--jobs', '1'),
  twotoken(0, ['list', '--json']),
  twotoken(0, ['explain', 'BACK-04', '--fix', 'fastapi', '--whole']),
  ...['html', 'junit', 'sarif', 'markdown', 'badge', 'in-toto'].map((format) =>
    twotoken(0, ['report', results, '--format', format]),
  ),
  twotoken(0, ['verify-report', results]),
  ...['html', 'json', 'openmetrics'].map((format) => twotoken(0, ['history', 'nights', '--format', format])),
  twotoken(1, ['merge', '--targets', 'nights/eu', 'nights/us', '--out', 'both'], ['both/targets.json']),
  twotoken(0, ['diff', results, 'nights/us/results.json']),
  twotoken(0, ['init', '--yes'], ['twotoken.yaml', '.env.example']),
  twotoken(0, ['complete', 'powershell']),
  twotoken(2, ['doctor']),
  twotoken(2, ['explain', 'NO-99']),
]
