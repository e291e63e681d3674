import { gunzipSync, constants as zlib } from 'node:zlib'
import { exceptKnown } from '../model/collector.ts'
import { base64, type Encoding } from './encodings.ts'
import type { ScanContext } from './scan-context.ts'
import { placeAt, type ScannedFile } from './window.ts'

/** A value that was compressed and then encoded, as Helm and settings of Kubernetes have them. */
export interface Packed {
  readonly bytes: Buffer
  /** Where its text begins and ends. */
  readonly start: number
  readonly end: number
  /** In the words of `Finding.decoder`. */
  readonly decoder: string
}

/** Bytes of the text, and of what comes out of it. */
const largest = 4 * 1024 * 1024

/** Unpacks base64 of gzip, or base64 of that; `null` where it only begins like it. */
export function unpacked(bytes: Buffer, start: number, encoding: Encoding): Packed | null {
  const end = endOf(bytes, start)
  const isTwice = encoding === base64
  const once = Buffer.from(bytes.toString('latin1', start, end), 'base64')
  const gzip = isTwice ? Buffer.from(once.toString('latin1'), 'base64') : once
  try {
    // A value that is cut off is read as far as it goes.
    const options = { maxOutputLength: largest, finishFlush: zlib.Z_SYNC_FLUSH }
    const decoder = isTwice ? 'base64, base64, gzip' : 'base64, gzip'
    return { bytes: gunzipSync(gzip, options), start, end, decoder }
  } catch {
    return null
  }
}

const isOfText = Uint8Array.from({ length: 256 }, (_, code) =>
  /[A-Za-z0-9+/_=\r\n\t -]/.test(String.fromCharCode(code)) && code < 128 ? 1 : 0,
)

/** Lines are joined; the digits behind the data are none of gzip's, which ends by itself. */
function endOf(bytes: Buffer, start: number): number {
  let end = start
  while (end < start + largest && isOfText[bytes[end] as number] === 1) end += 1
  return end
}

const encodedRules: Readonly<Record<string, string>> = { 'AUD-001': 'AUD-006', 'AUD-002': 'AUD-006' }

/** Reports what is found in a value at the place of the value, unless it was found there without unpacking it. */
export function inPlaceOf(audit: ScanContext, file: ScannedFile, { start, decoder }: Packed): ScanContext {
  const known = exceptKnown(audit)
  const place = { ...placeAt(file, start), decoder }
  return {
    ...audit,
    collector: {
      ...audit.collector,
      gap: (kind, _, reason) => audit.collector.gap(kind, file.location, reason),
      report({ line: _line, column: _column, ...sighting }) {
        if (sighting.kind === 'identifier') return
        known.collector.report({ ...sighting, ...place, rule: encodedRules[sighting.rule] ?? sighting.rule })
      },
    },
  }
}
