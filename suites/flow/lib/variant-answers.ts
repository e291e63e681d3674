/** A JSON response of a broken backend. */
export function jsonAnswer(status: number, value: unknown) {
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) }
}
