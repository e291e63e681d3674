import { type Lie, liesAbout } from './lies.ts'
import { type TruthfulFile, truthfulFiles } from './samples.ts'

export interface LiesTask {
  readonly formats: readonly string[]
  /** Only one of so many lies about a file is tried. */
  readonly step: number
}

/** Gives lies in the same order each time, so that the number of one names it. */
export function* liesOf({
  formats,
  step,
}: LiesTask): Generator<{ readonly file: TruthfulFile; readonly lie: Lie }> {
  for (const format of formats)
    for (const file of truthfulFiles[format]?.() ?? []) {
      let index = 0
      for (const lie of liesAbout(file.bytes)) if (index++ % step === 0) yield { file, lie }
    }
}

/** Says of the lie with a number in which file it is, its field and its value. */
export function nameOfLie(task: LiesTask, wanted: number): string {
  let index = 0
  for (const { file, lie } of liesOf(task))
    if (index++ === wanted) return `${file.name}, ${lie.bytes.toString('hex')} at ${lie.at}`
  throw new Error(`there is no lie ${wanted}`)
}
