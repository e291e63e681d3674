import type { Audit } from '../settings.ts'

/** A file that should not ship, whatever it holds. */
export function exposed(audit: Audit, location: string, format: string, what: string): void {
  const decoder = 'content'
  audit.collector.report({
    rule: 'AUD-030',
    kind: 'exposure',
    level: 'note',
    location,
    format,
    decoder,
    offset: 0,
    secret: location,
    show: what,
  })
}
