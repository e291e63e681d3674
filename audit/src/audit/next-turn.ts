/**
 * Lets the event loop turn, so that Node frees what has failed: a stream of zlib that ends with an error is kept until then,
 * with the memory of its output.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
