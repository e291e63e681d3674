import { writeJson } from '../escape.ts'
import type { RunResults } from '../results.ts'
import { describeBadge } from './badge.ts'

/** The badge as data, for an endpoint of shields.io. */
export function renderBadgeJson(run: RunResults): string {
  const isError = run.outcome === 'error' || run.outcome === 'nonconformant'
  const endpoint = { schemaVersion: 1, ...describeBadge(run), isError: isError || undefined }
  return writeJson(endpoint)
}
