/** So many letters of a secret in order are too many. */
const width = 8

/** Finds the runs that together have eight letters of a secret, forwards or backwards: it may be made of listed words. */
export function createSecretWindows(secrets: readonly string[]) {
  const windows = new Set<string>()
  for (const secret of secrets) {
    const letters = lettersOf(secret)
    for (const text of [letters, [...letters].toReversed().join('')])
      for (let at = 0; at + width <= text.length; at += 1) windows.add(text.slice(at, at + width))
  }
  return <Run extends { readonly text: string }>(runs: readonly Run[]): ReadonlySet<Run> => {
    const found = new Set<Run>()
    if (windows.size === 0) return found
    const owners = runs.flatMap((run) => [...lettersOf(run.text)].map(() => run))
    const text = lettersOf(runs.map((run) => run.text).join(''))
    for (let at = 0; at + width <= text.length; at += 1)
      if (windows.has(text.slice(at, at + width)))
        for (const owner of owners.slice(at, at + width)) found.add(owner)
    return found
  }
}

function lettersOf(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
}
