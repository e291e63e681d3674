import { join } from 'node:path'

/** An automaton proved linear time, or a search for attacks found none: it is no proof, where a pattern looks around. */
export type Verdict = 'proved' | 'searched'

/** Patterns as `/source/flags`, each with the verdict of the analyser. */
export type Analysed = Readonly<Record<string, Verdict>>

export const analysedFile = join(import.meta.dirname, 'analysed.json')
