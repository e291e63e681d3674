import type { ScanContext } from '../search/scan-context.ts'

/** Reports a file that should not ship, whatever it contains. */
export function reportExposure(
  { collector }: Pick<ScanContext, 'collector'>,
  location: string,
  format: string,
  what: string,
): void {
  collector.report({
    rule: 'AUD-030',
    kind: 'exposure',
    level: 'note',
    location,
    format,
    decoder: 'content',
    offset: 0,
    secret: location,
    show: what,
  })
}
