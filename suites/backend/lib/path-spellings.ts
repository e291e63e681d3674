/** Another way to write the path of the token route. */
export interface Spelling {
  /** Completes "a request at the path …". */
  readonly name: string
  /** The path from the usual one. `mark` is new for each run, so that no cache knows the path yet. */
  spell(path: string, mark: string): string
}

/** Endings that routers and gateways drop, and those by which caches know files. */
const endings: Readonly<Record<string, (mark: string) => string>> = {
  'with the name of a style sheet below it': (mark) => `/${mark}.css`,
  'with the name of a script below it': (mark) => `/${mark}.js`,
  'with .json at its end': () => '.json',
  'with .css at its end': () => '.css',
  'with ;a=1 at its end': () => ';a=1',
  'with ; and the name of a style sheet at its end': (mark) => `;${mark}.css`,
  'with the name of a style sheet behind an encoded slash': (mark) => `%2f${mark}.css`,
  'with the name of a style sheet behind an encoded question mark': (mark) => `%3f${mark}.css`,
  'with the name of a style sheet behind an encoded hash': (mark) => `%23${mark}.css`,
  'with the name of a style sheet behind an encoded line feed': (mark) => `%0a${mark}.css`,
  'with the name of a style sheet behind an encoded zero byte': (mark) => `%00${mark}.css`,
  'with a dot at its end': () => '.',
  'with an encoded blank at its end': () => '%20',
  'with an encoded backslash at its end': () => '%5c',
}

export const spellings: readonly Spelling[] = [
  ...Object.entries(endings).map(([name, end]) => ({
    name,
    spell: (path: string, mark: string) => path + end(mark),
  })),
  {
    name: 'with /..;/ in it',
    spell(path, mark) {
      const [above, last] = splitLast(path)
      return `${above}/${mark}/..;/${last}`
    },
  },
  {
    name: 'with an encoded letter',
    spell(path) {
      const [above, last] = splitLast(path)
      return last === '' ? `${path};` : `${above}/%${last.charCodeAt(0).toString(16)}${last.slice(1)}`
    },
  },
]

function splitLast(path: string): readonly [above: string, last: string] {
  const at = path.lastIndexOf('/')
  return [path.slice(0, at), path.slice(at + 1)]
}
