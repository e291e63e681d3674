import { inflateEntry, inMemory, readZip } from '../../audit/api.ts'

export interface ZipContent {
  readonly name: string
  /** Null where it cannot be inflated, or is longer than the bound. */
  readonly bytes: Buffer | null
}

/** The entries of a zip archive; of what is none, nothing. */
export function zipContents(archive: Buffer, bound: number): ZipContent[] {
  return (readZip(inMemory(archive))?.entries ?? []).map((entry) => ({
    name: String(entry.name),
    bytes: inflateEntry(archive.subarray(entry.dataStart, entry.dataEnd), entry, bound).bytes,
  }))
}
