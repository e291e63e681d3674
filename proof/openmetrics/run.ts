import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { run } from '../../audit/proof/tools.ts'
import { openTempFolder } from '../../src/base/temp-folder.ts'
import { buildHistory } from '../../src/reports/history/history.ts'
import { renderOpenMetrics } from '../../src/reports/history/openmetrics.ts'
import { frozenRun } from '../../src/reports/testing/frozen-run.ts'

// `npm run proof:openmetrics`: the parser of Prometheus' own library for Python (python3-prometheus-client) reads what `history`
// writes, and rejects the same text with a fault.

/** Names of targets that could break a line or end the text. */
const targets = ['acme-eu', 'ac"me\\ \n# EOF', 'ümläut {le="0.5"} 1', '\u0000\ud800']
const nightsOfEach = 30

const history = buildHistory(
  targets.flatMap((target) =>
    Array.from({ length: nightsOfEach }, (_, night) => ({
      ...frozenRun,
      ...{ file: `${night}/results.json`, target },
      startedAt: new Date(Date.UTC(2026, 9, 1 + night, 3)).toISOString(),
    })),
  ),
  [],
)
const text = renderOpenMetrics(history)

const program = `import json, sys
from prometheus_client.openmetrics.parser import text_string_to_metric_families
try:
    families = list(text_string_to_metric_families(open(sys.argv[1], encoding="utf-8").read()))
    print(json.dumps({one.name: [len(one.samples), len({s.labels["target"] for s in one.samples})] for one in families}))
except ValueError:
    print("null")
`

/** Samples and targets of each family; null where the parser rejects the text. */
async function parse(written: string): Promise<Readonly<Record<string, readonly number[]>> | null> {
  await using folder = await openTempFolder()
  const file = join(folder.path, 'twotoken.om')
  await writeFile(file, written)
  return JSON.parse(await run('/usr/bin/python3', ['-c', program, file]))
}

const runs = targets.length * nightsOfEach
const parsed = await parse(text)
const isRead = ['twotoken_run_conformant', 'twotoken_run_duration_seconds'].every(
  (family) => JSON.stringify(parsed?.[family]) === JSON.stringify([runs, targets.length]),
)
process.stdout.write(
  `${isRead ? 'ok   ' : 'WRONG'} ${runs} runs of ${targets.length} targets: ${JSON.stringify(parsed)}\n`,
)

const faults: Readonly<Record<string, string>> = {
  'without its end': text.replace('# EOF\n', ''),
  'with a sample behind its end': `${text}twotoken_run_conformant{target="a"} 1\n`,
  'with an unescaped quote': text.replace('\\"', '"'),
  'with a unit that its name has not': text.replace(
    '# UNIT twotoken_run_duration_seconds seconds',
    '# UNIT twotoken_run_duration_seconds days',
  ),
}
let wrong = isRead ? 0 : 1
for (const [fault, broken] of Object.entries(faults)) {
  const isRejected = broken !== text && (await parse(broken)) === null
  if (!isRejected) wrong += 1
  process.stdout.write(`${isRejected ? 'ok   ' : 'WRONG'} ${fault}: ${isRejected ? 'rejected' : 'read'}\n`)
}
process.exitCode = wrong === 0 ? 0 : 1
