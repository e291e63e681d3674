import { readFileSync } from 'node:fs'
import { parseResults } from '../read-results.ts'

const file = new URL('frozen-run.json', import.meta.url)

/** One run with every verdict and every kind of exchange. */
export const frozenText = readFileSync(file, 'utf8')
export const frozenRun = parseResults(frozenText, 'frozen-run.json')
