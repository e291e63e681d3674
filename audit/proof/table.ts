import type { SelfTestCell } from '../src/self-test/cells.ts'
import { countsOf } from '../src/self-test/cells.ts'
import type { CallRun } from './calls.ts'
import type { CleanRun } from './clean.ts'
import type { FuzzRun } from './fuzzing.ts'
import { isKnownGap } from './known-gaps.ts'
import type { OracleRun } from './oracles.ts'
import type { Recall, RecallCell } from './recall.ts'

/** All that one run found out. */
export interface Proof {
  readonly seed: number
  readonly mutants: number
  readonly recalls: readonly Recall[]
  readonly planted: readonly SelfTestCell[]
  readonly clean: readonly CleanRun[]
  readonly oracles: readonly OracleRun[]
  readonly fuzzed: readonly FuzzRun[]
  readonly calls: readonly CallRun[]
  /** Tools, packages and files that were not there: what they would have proved is not proved. */
  readonly missing: readonly string[]
}

export function summaryOf({ recalls, planted, clean, oracles, fuzzed, calls }: Proof) {
  const cells = recalls.flatMap((recall) => recall.cells)
  const found = cells.filter(({ isFound }) => isFound).length
  const accused = recalls.reduce((sum, { accusations }) => sum + accusations.length, 0)
  const canaries = countsOf(planted)
  const errors = clean.reduce((sum, run) => sum + run.errors.length, 0)
  const differences = oracles.reduce((sum, run) => sum + run.differences.length, 0)
  const faults = [...fuzzed, ...calls].reduce((sum, run) => sum + run.faults.length, 0)
  const holds = found === cells.length && accused + canaries.missed + errors + differences + faults === 0
  return { planted: cells.length, found, accused, canaries, errors, differences, faults, holds }
}

const percent = (part: number, whole: number) =>
  whole === 0 ? 'nothing' : `${((100 * part) / whole).toFixed(2)} %`
const megabytes = (bytes: number) => `${(bytes / 1_000_000).toFixed(1)} MB`
const row = (...cells: readonly (string | number)[]) =>
  `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |`

function table(head: readonly string[], rows: readonly string[]): string[] {
  return [row(...head), row(...head.map(() => '---')), ...rows, '']
}

export function renderProof(proof: Proof): string {
  const { missing, seed } = proof
  return [
    '# What the audit finds, and what it accuses',
    '',
    `Seed ${seed}. ${missing.length === 0 ? 'Every tool and package was there.' : `${missing.length} tools, packages or files were not there; see the end.`}`,
    '',
    ...recallPart(proof),
    ...canaryPart(proof),
    ...cleanPart(proof),
    ...oraclePart(proof),
    ...fuzzPart(proof),
    ...callPart(proof),
    ...(missing.length === 0
      ? []
      : ['## Not there', '', ...missing.map((text) => `- ${text.replaceAll('\n', ' ')}`), '']),
  ].join('\n')
}

/** Lists the misses. A miss in every container is the format's fault; a miss in some containers is theirs. */
function missedText(own: readonly RecallCell[]): string {
  const places = [...Map.groupBy(own, ({ slot, encoding }) => `${slot}: ${encoding}`)]
  const everywhere = places.filter(([, cells]) => cells.every(({ isFound }) => !isFound))
  const known = (cells: readonly RecallCell[]) => (cells.every(isKnownGap) ? ' (known)' : '')
  const rest = new Set(
    places
      .filter((place) => !everywhere.includes(place))
      .flatMap(([, cells]) => cells.filter(({ isFound }) => !isFound).map(({ packing }) => packing)),
  )
  const texts = everywhere.map(([text, cells]) => `${text}${known(cells)}`)
  return [...texts, ...(rest.size === 0 ? [] : [`only in ${[...rest].join(', ')}`])].join('; ')
}

function recallPart(proof: Proof): string[] {
  const { recalls } = proof
  if (recalls.length === 0) return []
  const cells = recalls.flatMap((recall) => recall.cells)
  const { planted, found, accused } = summaryOf(proof)
  const byFormat = [...Map.groupBy(cells, ({ format, file }) => `${format} (${file})`)].map(([name, own]) => {
    const hits = own.filter(({ isFound }) => isFound).length
    return row(name, own.length, hits, percent(hits, own.length), missedText(own))
  })
  const byPacking = [...Map.groupBy(cells, ({ packing }) => packing)].map(([name, own]) => {
    const hits = own.filter(({ isFound }) => isFound).length
    return row(name, own.length, hits, percent(hits, own.length))
  })
  const accusations = recalls.flatMap((recall) => recall.accusations)
  const kinds = Map.groupBy(
    accusations,
    ({ location, rule, decoder }) => `${location.split(/[!/]/).at(-1)}: ${rule} by ${decoder}`,
  )
  return [
    '## Keys that the formats’ own tools planted',
    '',
    `${found} of ${planted} found at error level with their exact extent (${percent(found, planted)}). ` +
      `Among the decoys in the same files ${accused} were accused.`,
    '',
    ...table(['container', 'planted', 'found', 'recall'], byPacking),
    ...table(['format (file)', 'planted', 'found', 'recall', 'missed'], byFormat),
    ...(kinds.size === 0
      ? []
      : table(
          ['accused though not planted', 'times'],
          [...kinds].map(([name, list]) => row(name, list.length)),
        )),
  ]
}

function canaryPart({ planted }: Proof): string[] {
  if (planted.length === 0) return []
  const groups = Map.groupBy(planted, ({ format }) => format)
  const rows = [...groups].map(([format, own]) => {
    const { planted: all, found, unplanted } = countsOf(own)
    const missed = new Set(
      own.filter(({ status }) => status === 'missed').map(({ slot, encoding }) => `${slot}: ${encoding}`),
    )
    return row(
      format,
      new Set(own.map(({ container }) => container.join())).size,
      all,
      found,
      unplanted,
      [...missed].join('; '),
    )
  })
  const { planted: all, found, unplanted } = countsOf(planted)
  return [
    '## Canaries in copies of real apps (`--self-test`)',
    '',
    `${found} of ${all} found (${percent(found, all)}); ${unplanted} could not be planted.`,
    '',
    ...table(['format', 'kinds of containers', 'planted', 'found', 'not planted', 'missed'], rows),
  ]
}

function cleanPart({ clean }: Proof): string[] {
  if (clean.length === 0) return []
  const total = clean.reduce((sum, { bytes }) => sum + bytes, 0)
  const seconds = clean.reduce((sum, { milliseconds }) => sum + milliseconds, 0) / 1000
  const errors = clean.flatMap((run) => run.errors)
  const warnings = clean.flatMap((run) => run.warnings)
  const shown = [...errors, ...warnings].slice(0, 40)
  return [
    '## Real apps, media and noise without a key',
    '',
    `${megabytes(total)} read in ${seconds.toFixed(1)} s: ${errors.length} errors, ${warnings.length} warnings.`,
    '',
    ...table(
      ['package', 'read', 'files', 'errors', 'warnings', 'notes', 'gaps'],
      clean.map((run) => {
        const gaps = Object.entries(run.gaps).map(([rule, count]) => `${count} × ${rule}`)
        return row(
          run.name,
          megabytes(run.bytes),
          run.entries,
          run.errors.length,
          run.warnings.length,
          run.notes,
          gaps.slice(0, 6).join('; '),
        )
      }),
    ),
    ...shown.map(
      ({ level, rule, location, decoder, shown: text }) =>
        `- ${level} ${rule} ${location} (${decoder}) ${text}`,
    ),
    '',
  ]
}

function oraclePart({ oracles }: Proof): string[] {
  if (oracles.length === 0) return []
  const groups = Map.groupBy(oracles, ({ format, tool }) => `${format}\0${tool}`)
  const rows = [...groups.values()].map((own) => {
    const differences = own.flatMap((run) =>
      run.differences.map((text) => `${run.location.split('!').at(-1)}: ${text}`),
    )
    const strings = own.reduce((sum, run) => sum + run.strings, 0)
    const [{ format, tool } = { format: '', tool: '' }] = own
    return row(format, tool, own.length, strings, differences.length, differences.slice(0, 2).join('; '))
  })
  return [
    '## Walkers against other readers',
    '',
    ...table(['format', 'oracle', 'files', 'strings', 'differences', 'for example'], rows),
  ]
}

function fuzzPart({ fuzzed, seed }: Proof): string[] {
  if (fuzzed.length === 0) return []
  const count = fuzzed.reduce((sum, run) => sum + run.mutants, 0)
  const rows = fuzzed.map(({ format, location, bytes, mutants, milliseconds, faults }) =>
    row(
      format,
      location,
      bytes ?? 'of any size',
      `${(milliseconds / mutants).toFixed(1)} ms`,
      faults.length,
      faults
        .slice(0, 3)
        .map(({ index, fault }) => `${index}: ${fault.slice(0, 120)}`)
        .join('; '),
    ),
  )
  return [
    '## Damaged files, and scripts at random',
    '',
    `${count} damaged copies and scripts (seed ${seed}): no crash, no hang, nothing passed over, and no more than a second a megabyte is asked.`,
    '',
    ...table(['format', 'file', 'bytes', 'for each', 'faults', 'for example'], rows),
  ]
}

function callPart({ calls }: Proof): string[] {
  return calls.flatMap(({ scripts, calls: all, found, decoys, faults }) => [
    '## Calls of the mint by libraries',
    '',
    `${scripts} scripts, each as it is written and minified: ${found} of ${all} calls found, among ${decoys} decoys.`,
    '',
    ...faults.map((fault) => `- ${fault}`),
    '',
  ])
}
