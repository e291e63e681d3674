const [kilobyte, megabyte] = [1024, 1_048_576]

/** Writes a size for a sentence, in few digits: evidence hides long numbers, which a peer may have chosen. */
export function writeSize(bytes: number): string {
  if (bytes >= megabyte) return `${round(bytes / megabyte)} MB`
  return bytes >= kilobyte ? `${round(bytes / kilobyte)} KB` : `${bytes} bytes`
}

function round(size: number): number {
  return Math.round(size * 100) / 100
}
