import { writeJson } from '../escape.ts'
import type { Formats } from '../formats.ts'
import type { History } from './history.ts'

/** `twotoken history --format`. */
export const historyFormats = {
  html: async () => (await import('./html.ts')).renderHistoryHtml,
  json: async () => writeJson,
  openmetrics: async () => (await import('./openmetrics.ts')).renderOpenMetrics,
} satisfies Formats<History>
