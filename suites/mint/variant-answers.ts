/** An answer of a broken variant, in the shape of the reference's own. */
export function jsonAnswer(value: unknown, status = 200) {
  return {
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
    body: JSON.stringify(value),
  }
}
