import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Builder, type Built, decoyNames, decoyValues, type Ledger, tellingLengths } from '../builder.ts'
import { textEncodings } from '../encodings.ts'
import { run } from '../tools.ts'

function sourceOf(ledger: Ledger): string {
  const strings = [
    ...textEncodings.map((encoding) => ledger.text('string', encoding)),
    ...tellingLengths.map((length) => ledger.key('string', length)),
    ...decoyValues,
  ]
  return `typedef unsigned short u16;
__attribute__((used, visibility("default"))) const char *const table[] = { ${strings.map((text) => JSON.stringify(text)).join(', ')} };
__attribute__((used, visibility("default"))) char writable[] = "${ledger.key('writable data')}";
__attribute__((used, visibility("default"))) const u16 wide[] = u"${ledger.key('UTF-16 string')}";
__attribute__((used, visibility("default"))) const struct { int n; char key[64]; int m; } record = { 7, "${ledger.key('field of a struct')}", 9 };
${decoyNames.map((name) => `__attribute__((used, visibility("default"))) int ${name}(void) { return 1; }`).join('\n')}
`
}

interface Target {
  readonly format: string
  readonly name: string
  readonly compile: (
    source: string,
    out: string,
    zig: string,
  ) => readonly [program: string, args: readonly string[]]
}

const zig =
  (target: string, ...options: readonly string[]): Target['compile'] =>
  (source, out, compiler) => [
    compiler,
    ['cc', '-target', target, '-Os', '-g0', ...options, '-o', out, source],
  ]

const sharedObject = ['-shared', '-nostdlib', '-s']

const targets: readonly Target[] = [
  {
    format: 'elf x86-64',
    name: 'libgcc64.so',
    compile: (source, out) => ['gcc', ['-shared', '-fPIC', '-nostdlib', '-Os', '-s', '-o', out, source]],
  },
  { format: 'elf arm64', name: 'libarm64.so', compile: zig('aarch64-linux-musl', ...sharedObject) },
  { format: 'elf arm', name: 'libarm.so', compile: zig('arm-linux-musleabihf', ...sharedObject) },
  { format: 'elf x86', name: 'libx86.so', compile: zig('x86-linux-musl', ...sharedObject) },
  { format: 'mach-o arm64', name: 'arm64.dylib', compile: zig('aarch64-macos', '-shared') },
  { format: 'mach-o x86-64', name: 'x86_64.dylib', compile: zig('x86_64-macos', '-shared') },
  {
    format: 'wasm',
    name: 'module.wasm',
    compile: (source, out, compiler) => [
      compiler,
      [
        'build-lib',
        '-target',
        'wasm32-freestanding',
        '-dynamic',
        '-rdynamic',
        '-O',
        'ReleaseSmall',
        `-femit-bin=${out}`,
        source,
      ],
    ],
  },
]

export const native: readonly Builder[] = targets.map(({ format, name, compile }) => ({
  name: format,
  async build(bench): Promise<Built[]> {
    const ledger = bench.ledger()
    await writeFile(join(bench.work, 'canary.c'), sourceOf(ledger))
    const isZig = compile('', '', 'zig')[0] === 'zig'
    const compiler = isZig ? join(bench.package('zig'), 'zig') : ''
    const [program, args] = compile('canary.c', name, compiler)
    const cacheFolder = join(bench.work, 'zig-cache')
    const env = { ZIG_GLOBAL_CACHE_DIR: cacheFolder, ZIG_LOCAL_CACHE_DIR: cacheFolder }
    await run(program, args, { cwd: bench.work, env })
    return [{ format, name, bytes: await readFile(join(bench.work, name)), planted: ledger.planted }]
  },
}))

/** A fat file as `lipo` writes it: each slice at the start of a page. */
export function fatOf(slices: readonly { readonly cpu: number; readonly bytes: Buffer }[]): Buffer {
  const page = 0x4000
  const parts: Buffer[] = []
  const header = Buffer.alloc(page)
  header.writeUInt32BE(0xcafebabe)
  header.writeUInt32BE(slices.length, 4)
  let at = page
  slices.forEach(({ cpu, bytes }, index) => {
    for (const [field, value] of [cpu, 0, at, bytes.length, 14].entries())
      header.writeUInt32BE(value, 8 + index * 20 + field * 4)
    const padded = Math.ceil(bytes.length / page) * page
    parts.push(bytes, Buffer.alloc(padded - bytes.length))
    at += padded
  })
  return Buffer.concat([header, ...parts])
}
