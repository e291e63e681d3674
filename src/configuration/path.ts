/** Where a value stands in the configuration: the keys and list positions that lead to it. */
export type KeyPath = readonly (string | number)[]

export function pathKey(path: KeyPath): string {
  return JSON.stringify(path)
}

/** A path as a reader of the file knows it, such as `signaling.profile.failure[0].http`. */
export function showPath(path: KeyPath): string {
  const shown = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${showKey(part)}`)).join('')
  return shown.replace(/^\./, '')
}

/** A key's name, unless it may be a secret that was pasted where a key belongs. */
export function showKey(key: string): string {
  const harmless = /^[A-Za-z_][A-Za-z0-9_-]{0,31}$/.test(key) && !/^(ac_live_|eyJ)/i.test(key)
  return harmless ? key : `(a key of ${key.length} characters)`
}

export function valueAt(root: unknown, path: KeyPath): unknown {
  return path.reduce<unknown>(
    (value, part) => (isCollection(value) && Object.hasOwn(value, part) ? value[part] : undefined),
    root,
  )
}

function isCollection(value: unknown): value is Record<string | number, unknown> {
  return typeof value === 'object' && value !== null
}

export function entriesOf(value: object): [string | number, unknown][] {
  return Array.isArray(value) ? [...value.entries()] : Object.entries(value)
}

/** A tree with other values; one that is changed is not looked into, and `undefined` is left out. */
export function changeValues(
  value: unknown,
  change: (value: unknown, path: KeyPath) => unknown,
  path: KeyPath = [],
): unknown {
  const changed = change(value, path)
  if (changed !== value || typeof value !== 'object' || value === null) return changed
  const entries = entriesOf(value)
    .map(([key, item]) => [key, changeValues(item, change, [...path, key])] as const)
    .filter(([, item]) => item !== undefined)
  return Array.isArray(value) ? entries.map(([, item]) => item) : Object.fromEntries(entries)
}
