/** Returns what is read, or something else where the bytes do not parse. */
export function parsed<T>(read: () => T, otherwise: T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof RangeError) return otherwise
    throw error
  }
}
