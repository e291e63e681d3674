/** A response of a broken variant, in the format of the reference. */
export function jsonAnswer(value: unknown, status = 200) {
  return {
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
    body: JSON.stringify(value),
  }
}
