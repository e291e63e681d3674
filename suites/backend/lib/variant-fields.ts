import { parsedJson } from '../../../src/base/http/incoming.ts'
import { isRecord } from '../../../src/base/tokens/decode.ts'

/** Fields of a JSON body; none where it is no object. */
export function fieldsOf(body: string): Readonly<Record<string, unknown>> {
  const value = parsedJson(body)
  return isRecord(value) ? value : {}
}
