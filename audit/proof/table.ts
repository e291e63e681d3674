import type { CleanRun } from './clean.ts'
import type { OracleRun } from './oracles.ts'
import type { Recall, RecallCell } from './recall.ts'

/** All that one run found out. */
export interface Proof {
  readonly seed: number
  readonly recalls: readonly Recall[]
  readonly clean: readonly CleanRun[]
  readonly oracles: readonly OracleRun[]
  /** Tools, packages and files that were not there: what they would have proved is not proved. */
  readonly missing: readonly string[]
}

export function summaryOf({ recalls, clean, oracles }: Proof) {
  const cells = recalls.flatMap((recall) => recall.cells)
  const found = cells.filter(({ isFound }) => isFound).length
  const accused = recalls.reduce((sum, { accusations }) => sum + accusations.length, 0)
  const uncertain = recalls.reduce((sum, recall) => sum + recall.uncertain.length, 0)
  const errors = clean.reduce((sum, run) => sum + run.errors.length, 0)
  const differences = oracles.reduce((sum, run) => sum + run.differences.length, 0)
  const holds = found === cells.length && accused + errors + differences === 0
  return { planted: cells.length, found, accused, uncertain, errors, differences, holds }
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
    ...cleanPart(proof),
    ...oraclePart(proof),
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
  const { planted, found, accused, uncertain } = summaryOf(proof)
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
      `${uncertain} other errors at them have an end that the audit calls uncertain. ${accused} errors are about no planted key.`,
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

interface Place {
  readonly format: string
  readonly slot: string
  readonly encoding: string
}

/**
 * Places that the audit does not find yet, each with its reason. The proof prints them as misses. The tests
 * accept them and nothing else, so that the list can only become shorter.
 */
const gaps: readonly { readonly reason: string; holds(place: Place): boolean }[] = [
  {
    reason: 'The audit runs no bytecode, so it finds no key that a function of it puts together.',
    holds: ({ format, slot }) => format.startsWith('hermes') && slot.endsWith('by a function'),
  },
]

export function isKnownGap(place: Place): boolean {
  return gaps.some(({ holds }) => holds(place))
}
