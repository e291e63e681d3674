import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { median } from '../bench/processes.ts'
import { fetchMaterial } from '../packages.ts'
import { appFolders } from '../real-files.ts'
import { makeCorpus } from './corpus.ts'
import type { Measured } from './measure.ts'
import { type Off, pieces } from './pieces.ts'
import { type Row, renderAblation, rowOf } from './table.ts'

// `npm run proof:ablation`: switches off one piece of the audit after the other, and tells what is then not found in what
// real toolchains made, and what an audit of real packages then takes.
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '7' },
    rounds: { type: 'string', default: '3' },
    only: { type: 'string', default: '' },
    out: { type: 'string', default: 'twotoken-results' },
  },
})
const log = (text: string) => void process.stderr.write(`${text}\n`)
const start = promisify(execFile)
const worker = join(import.meta.dirname, 'worker.ts')
const rounds = Number(values.rounds)

async function auditWithout(folder: string, off: Off | null): Promise<Measured> {
  const { stdout } = await start(process.execPath, [worker, JSON.stringify({ folder, off })], {
    maxBuffer: 1 << 28,
  })
  return JSON.parse(stdout)
}

/** The median of some rounds, each with and without the piece in turns. */
async function savedBy(off: Off, folder: string): Promise<{ savedMs: number; wholeMs: number }> {
  const [wholes, withouts]: [number[], number[]] = [[], []]
  for (let round = 0; round < rounds; round++) {
    wholes.push((await auditWithout(folder, null)).cpuMs)
    withouts.push((await auditWithout(folder, off)).cpuMs)
  }
  return { savedMs: median(withouts) - median(wholes), wholeMs: median(wholes) }
}

/** A part of the packages that has every kind of file. */
const timed = new Set(['io.appium.settings', 'android-apidemos', 'pdfjs-dist', '@ffmpeg/core'])

const work = await mkdtemp(join(tmpdir(), 'twotoken-ablation-'))
try {
  const material = await fetchMaterial(log)
  const corpus = join(work, 'corpus')
  const { missing } = await makeCorpus(corpus, { seed: Number(values.seed), material, work }, log)
  const packages = join(work, 'packages')
  for (const [name, folder] of appFolders(material))
    if (timed.has(name)) await cp(folder, join(packages, name), { recursive: true })
  const whole = await auditWithout(corpus, null)
  const wholeMs: number[] = []
  const rows: Row[] = []
  for (const piece of pieces.filter(({ name, kind }) => `${kind} ${name}`.includes(values.only))) {
    const without = await auditWithout(corpus, piece.off)
    const time =
      piece.kind === 'speed' || piece.kind === 'evaluator' ? await savedBy(piece.off, packages) : null
    if (time !== null) wholeMs.push(time.wholeMs)
    const row = rowOf(piece, whole, without, time?.savedMs ?? null)
    rows.push(row)
    log(
      `${piece.kind} ${piece.name}: ${[...row.lost].map(([source, count]) => `${source} ${count}`).join(', ') || 'nothing'}${time === null ? '' : `; ${Math.round(time.savedMs)} ms`}`,
    )
  }
  const table = renderAblation(rows, whole, wholeMs.length === 0 ? 0 : median(wholeMs))
  const absent = missing.map((reason) => `- missing: ${reason}\n`).join('')
  await mkdir(values.out, { recursive: true })
  await writeFile(join(values.out, 'audit-ablation.md'), `${table}\n${absent}`)
  process.stdout.write(`${table}\n${absent}`)
} finally {
  await rm(work, { recursive: true, force: true })
}
