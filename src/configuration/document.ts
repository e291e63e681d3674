import {
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  type YAMLError,
} from 'yaml'
import { TwotokenError } from '../base/errors.ts'
import { type KeyPath, pathKey, showPath } from './path.ts'

export interface Problem {
  readonly path: KeyPath
  readonly sentence: string
  readonly about: 'configuration' | 'credential'
}

export interface Origin {
  /** The file as it was named; absent for a configuration that was made in memory. */
  readonly file?: string
  /** The line of a key, or of the nearest mapping above it that the file holds. */
  lineOf(path: KeyPath): number
}

/** Reads the text of a configuration file; an error shows nothing of it, since a credential may stand there. */
export function parseConfigurationText(
  text: string,
  file: string,
): { readonly written: unknown; readonly origin: Origin } {
  const lines = new LineCounter()
  // The library's own messages quote the text: none of them is shown, and nothing is logged.
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    logLevel: 'error',
    stringKeys: true,
  })
  const fault = document.errors[0] ?? document.warnings[0]
  if (fault !== undefined) throw yamlError(fault, text, file, lines)
  const written = plainValue(document, file)
  if (!isMap(document.contents)) {
    const what = isSeq(document.contents) ? 'contains a list' : 'contains a single value'
    throw new TwotokenError(
      'configuration',
      `${file} ${written === null || written === undefined ? 'is empty' : what}, expected a mapping such as "mint:": create one with "npx twotoken init"`,
    )
  }
  const root = document.contents
  return { written, origin: { file, lineOf: (path) => lineOf(root, path, lines) } }
}

function plainValue(document: ReturnType<typeof parseDocument>, file: string): unknown {
  try {
    const written: unknown = document.toJS()
    // An anchor that holds its own alias makes an endless value, which has no JSON.
    JSON.stringify(written)
    return written
  } catch (cause) {
    throw new TwotokenError(
      'configuration',
      `${file} contains an alias that cannot be resolved, expected its &name before each *name: write the value out`,
      cause,
    )
  }
}

const faults: Readonly<Record<string, string>> = {
  BAD_INDENT: 'does not match the indentation of the lines above, or a bracket is not closed: correct it',
  TAB_AS_INDENT: 'is indented with a tab, expected spaces: replace the tab',
  DUPLICATE_KEY: 'repeats a key: remove one of the two',
  MISSING_CHAR: 'is missing a closing quote, a bracket or a comma: add it',
  MULTIPLE_DOCS: 'begins a second document, expected one: remove the "---" line',
  BLOCK_AS_IMPLICIT_KEY: 'contains a second ": ", expected one key and one value: put the value in quotes',
  MULTILINE_IMPLICIT_KEY: 'is not a "key: value" line, expected a colon and a space after the key: add them',
  NON_STRING_KEY: 'contains a key that is not a string: put it in quotes',
  TAG_RESOLVE_FAILED: 'contains an unknown tag (a word after "!"): remove the tag',
}

function yamlError(fault: YAMLError, text: string, file: string, lines: LineCounter): TwotokenError {
  const { line, col } = lines.linePos(fault.pos[0])
  const written = text.split('\n')[line - 1] ?? ''
  // Inside { } or [ ] YAML reads the brace of ${NAME} as its own.
  const unquoted = fault.code === 'UNEXPECTED_TOKEN' && /[[{].*[:,[]\s*\$\{/.test(written)
  const sentence = unquoted
    ? `contains an unquoted \${…} inside { } or [ ]: write "\${NAME}" in quotes`
    : (faults[fault.code] ?? `is not valid YAML (${fault.code}), expected "key: value": correct it`)
  return new TwotokenError('configuration', `${file}:${line}:${col}: the line ${sentence}`, fault.code)
}

function lineOf(root: Node, path: KeyPath, lines: LineCounter): number {
  let node: unknown = root
  let offset = root.range?.[0] ?? 0
  for (const part of path) {
    const [place, value] = entryOf(node, part)
    if (place === undefined) break
    offset = place
    node = value
  }
  return lines.linePos(offset).line
}

/** Where an entry begins (the key of a mapping, the item of a list) and what it holds. */
function entryOf(node: unknown, part: string | number): [number | undefined, unknown] {
  if (isMap(node)) {
    const pair: Pair | undefined = node.items.find(({ key }) => isScalar(key) && key.value === part)
    return [isScalar(pair?.key) ? pair.key.range?.[0] : undefined, pair?.value]
  }
  if (!isSeq(node) || typeof part !== 'number') return [undefined, undefined]
  const item = node.items[part]
  return [isScalar(item) || isMap(item) || isSeq(item) ? item.range?.[0] : undefined, item]
}

/** One error tells all problems, a line each, to which an editor can jump. */
export function configurationError(problems: readonly Problem[], origin: Origin): TwotokenError {
  const first = new Map<string, Problem>()
  for (const problem of problems)
    if (!first.has(pathKey(problem.path))) first.set(pathKey(problem.path), problem)
  const lines = [...first.values()]
    .map((problem) => ({ ...problem, line: origin.lineOf(problem.path) }))
    .toSorted((left, right) => left.line - right.line)
    .map(({ path, sentence, line }) => {
      const place = origin.file === undefined ? '' : `${origin.file}:${line}: `
      return `${place}${path.length === 0 ? 'the configuration' : showPath(path)} ${sentence}`
    })
  const code = problems.every((problem) => problem.about === 'credential') ? 'credential' : 'configuration'
  const head = lines.length === 1 ? '' : `${lines.length} problems in the configuration:\n`
  return new TwotokenError(code, head + lines.join('\n'))
}
