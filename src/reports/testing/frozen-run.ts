import { readFileSync } from 'node:fs'
import { parseResults } from '../read-results.ts'

const file = new URL('frozen-run.json', import.meta.url)

/** One run with every verdict and every kind of exchange, and with hostile text. */
export const frozenText = readFileSync(file, 'utf8')
export const frozenRun = parseResults(frozenText, 'frozen-run.json')
export const hostileText = '<script>alert(1)</script>'
