/** Deeper than any token, answer or frame needs. */
const deepest = 64

/** Parses JSON of a peer. Below 64 levels all is `null`, so that what reads it may be recursive. Throws SyntaxError. */
export function parsePeerJson(text: string): unknown {
  const value: unknown = JSON.parse(text)
  if (isContainer(value)) cutBelow(value)
  return value
}

function cutBelow(root: object): void {
  let level: object[] = [root]
  for (let depth = 1; level.length > 0; depth += 1) {
    const next: object[] = []
    for (const container of level)
      for (const [key, item] of Object.entries(container))
        if (isContainer(item)) {
          if (depth < deepest) next.push(item)
          else Reflect.set(container, key, null)
        }
    level = next
  }
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
