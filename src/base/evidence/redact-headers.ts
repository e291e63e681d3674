import type { RecordedMessage } from './exchange.ts'
import type { Redactor } from './redact.ts'

/** Headers without secrets and credentials: a peer may put one into a name, too. */
export function redactHeaders(
  headers: RecordedMessage['headers'],
  redactor: Pick<Redactor, 'printed' | 'field'>,
): [name: string, value: string][] {
  return headers.map(([name, value]) => [redactor.printed(name), redactor.field(name, value)])
}
