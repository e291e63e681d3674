import { containerFormats } from '../../src/containers/registry.ts'
import { auditedFormats } from '../../src/formats/registry.ts'

/** One piece of the audit that can be switched off. */
export interface Piece {
  readonly kind: 'container' | 'format' | 'encoding' | 'evaluator' | 'speed'
  readonly name: string
  /** Below `audit/src`: their lines are the piece's. */
  readonly files: readonly string[]
  readonly off: Off
}

/** Switches one piece off: leaves it out of a registry, or changes the text of a module. */
export type Off =
  | { readonly container: string }
  | { readonly format: string }
  | { readonly form: string }
  | { readonly view: string }
  | { readonly file: string; readonly from: string; readonly to: string }

/** Files of formats whose name is another one, or that have more than one. */
const filesOf: Readonly<Record<string, readonly string[]>> = {
  gzip: [],
  zlib: [],
  brotli: [],
  zstd: ['containers/zlib-compressions.ts'],
  zip: [
    'containers/zip.ts',
    'containers/zip-headers.ts',
    'containers/zip-inflate.ts',
    'containers/zip-reader.ts',
    'containers/unreferenced-entries.ts',
    'engine/audit-zip.ts',
  ],
  unity: ['containers/unity.ts', 'containers/growing-output.ts'],
  assemblies: ['containers/assemblies.ts', 'containers/lz4-block.ts'],
  'asset catalogue': ['containers/asset-catalogue.ts'],
  'git pack': ['containers/git-pack.ts'],
  'packed streams': ['containers/packed-streams.ts'],
  pdf: ['containers/media.ts'],
  png: [],
}

const containers = containerFormats
  .filter(({ opens }) => opens !== 'gap')
  .map(
    ({ name }): Piece => ({
      kind: 'container',
      name,
      files: filesOf[name] ?? [`containers/${name}.ts`],
      off: { container: name },
    }),
  )

/** Formats of text share one file, which counts once. */
const sharing = new Set([
  'env',
  'strings',
  'plist',
  'xml',
  'json',
  'javascript',
  'text',
  'source-map',
  'proto-xml',
  'mach-o-fat',
])

const fileOfFormat: Readonly<Record<string, string>> = {
  html: 'text-formats',
  'proto-resources': 'protobuf',
  'binary-xml': 'axml',
  'binary-plist': 'bplist',
  class: 'java-class',
  'il2cpp-metadata': 'il2cpp',
  'mach-o-fat': 'mach-o',
  'mach-o': 'mach-o',
}

/** The last one is for files of no format: without it there is no registry. */
const formats = auditedFormats
  .filter(({ by }) => by !== 'rest')
  .map(
    ({ name }): Piece => ({
      kind: 'format',
      name,
      files: sharing.has(name) ? [] : [`formats/${fileOfFormat[name] ?? name}.ts`],
      off: { format: name },
    }),
  )

const form = (name: string): Piece => ({ kind: 'encoding', name, files: [], off: { form: name } })

const encodings: readonly Piece[] = [
  ...['reversed', 'base64', 'hex', 'escaped', 'xor', 'jwt', 'mint-path'].map(form),
  { kind: 'encoding', name: 'UTF-16LE', files: [], off: { view: 'utf-16le' } },
  { kind: 'encoding', name: 'UTF-16BE', files: [], off: { view: 'utf-16be' } },
  {
    kind: 'encoding',
    name: 'two encodings around each other',
    files: ['scan/unwrap.ts', 'scan/wrapped-values.ts', 'scan/find-runs.ts', 'scan/deflate-head.ts'],
    off: {
      file: 'scan/wrapped-values.ts',
      from: 'const { digits, wide, lists } = find(bytes, isNarrow)',
      to: 'const { digits, wide, lists } = { digits: [], wide: [], lists: [] }',
    },
  },
]

/** A function that returns at once, before its own first line. */
function without(file: string, name: string, result = ''): Off {
  return {
    file,
    from: `export function ${name}(`,
    to: `export function ${name}(..._: any): any { return ${result} }\nfunction switchedOff(`,
  }
}

const evaluator: readonly Piece[] = [
  {
    kind: 'evaluator',
    name: 'folding of scripts',
    files: [
      'script/fold-script.ts',
      'script/fold-strings.ts',
      'script/evaluate/evaluate.ts',
      'script/evaluate/evaluator.ts',
      'script/evaluate/calls.ts',
      'script/evaluate/operators.ts',
      'script/parse/scope.ts',
      'script/evaluate/value.ts',
    ],
    off: without('script/fold-script.ts', 'foldScript'),
  },
  {
    kind: 'evaluator',
    name: 'calls of functions',
    files: ['script/evaluate/follow.ts'],
    off: without('script/evaluate/follow.ts', 'followCall', 'null'),
  },
  {
    kind: 'evaluator',
    name: 'requests to the mint',
    files: ['script/mint-requests.ts', 'script/evaluate/http-clients.ts', 'script/evaluate/call-sites.ts'],
    off: without('script/mint-requests.ts', 'followRequests'),
  },
  {
    kind: 'evaluator',
    name: 'lists and their methods',
    files: ['script/evaluate/list-calls.ts'],
    off: without('script/evaluate/list-calls.ts', 'listCall', 'undefined'),
  },
  {
    kind: 'evaluator',
    name: 'masked character codes',
    files: ['script/clues/masked-codes.ts'],
    off: without('script/clues/masked-codes.ts', 'hasMaskedCodes', 'false'),
  },
  {
    kind: 'evaluator',
    name: 'scripts too large for a tree',
    files: ['script/parse/extract-expressions.ts', 'script/parse/tokenize.ts'],
    off: {
      file: 'script/parse/parse-script.ts',
      from: 'return parseExpressions(text, prefix, effort)',
      to: 'return null',
    },
  },
  {
    kind: 'evaluator',
    name: 'functions of Hermes bytecode',
    files: [
      'calls.ts',
      'code.ts',
      'create-machine.ts',
      'execute.ts',
      'fold.ts',
      'functions.ts',
      'instructions.ts',
      'literals.ts',
      'machine.ts',
      'members.ts',
      'steps/calls.ts',
      'steps/environments.ts',
      'steps/members.ts',
      'steps/values.ts',
    ].map((file) => `formats/hermes/${file}`),
    off: without('formats/hermes/fold.ts', 'foldHermes'),
  },
]

const speed: readonly Piece[] = [
  {
    kind: 'speed',
    name: 'search by SIMD',
    files: [
      'scan/simd-search.ts',
      'scan/kernel/marker.ts',
      'scan/kernel/kernel.wat',
      'scan/kernel/compiled.ts',
    ],
    off: { file: 'scan/create-searcher.ts', from: 'createSimdSearcher(needles, prefix) ??', to: '' },
  },
  {
    kind: 'speed',
    name: 'clues of scripts by SIMD',
    files: ['script/clues/mark-clues.ts', 'script/clues/assign-buckets.ts'],
    off: without('script/clues/mark-clues.ts', 'createClueMarker', 'null'),
  },
]

export const pieces: readonly Piece[] = [...containers, ...formats, ...encodings, ...evaluator, ...speed]
