/** Which files a thread has taken, in memory that all of them see. */
export type Claims = Int32Array<SharedArrayBuffer>

export function createClaims(files: number): Claims {
  return new Int32Array(new SharedArrayBuffer(4 * files))
}

/** `true` where the file is this thread's from now on. */
export function claim(claims: Claims, index: number): boolean {
  return Atomics.compareExchange(claims, index, 0, 1) === 0
}

/** How many files no thread has begun to read. */
export function countOpen(claims: Claims): number {
  let count = 0
  for (const taken of claims) if (taken === 0) count += 1
  return count
}
