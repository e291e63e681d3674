import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Builder, type Built, decoyValues, type Ledger, tellingLengths } from '../builder.ts'
import { textEncodings } from '../encodings.ts'
import { run } from '../tools.ts'

/** Texts of a program in a list, and others that its code loads. */
function textsOf(ledger: Ledger): { readonly listed: string[]; readonly loaded: string[] } {
  return {
    listed: [
      ...textEncodings.map((encoding) => ledger.text('string of a list', encoding)),
      ...tellingLengths.map((length) => ledger.key('string of a list', length)),
      ...decoyValues,
    ],
    loaded: [ledger.key('string in code'), `Bearer ${ledger.key('end of a string in code')}`],
  }
}

const quote = JSON.stringify

function goSource(ledger: Ledger): string {
  const { listed, loaded } = textsOf(ledger)
  return `package main

import "os"

var texts = []string{${listed.map((text) => quote(text)).join(', ')}}

//go:noinline
func show(text string) { os.Stdout.WriteString(text) }

func main() {
	for _, text := range texts { show(text) }
	${loaded.map((text) => `show(${quote(text)})`).join('\n\t')}
}
`
}

function rustSource(ledger: Ledger): string {
  const { listed, loaded } = textsOf(ledger)
  return `static TEXTS: &[&str] = &[${listed.map((text) => quote(text)).join(', ')}];
#[inline(never)]
fn show(text: &str) { println!("{}", text); }
fn main() {
    for text in TEXTS { show(text); }
    ${loaded.map((text) => `show(${quote(text)});`).join('\n    ')}
}
`
}

const targets = [
  ['linux', 'amd64'],
  ['linux', 'arm64'],
  ['darwin', 'arm64'],
  ['windows', 'amd64'],
] as const

/** Programs of languages that end no string with a zero. */
export const packed: readonly Builder[] = [
  ...targets.map(
    ([system, processor]): Builder => ({
      name: `go ${system} ${processor}`,
      async build(bench): Promise<Built[]> {
        const ledger = bench.ledger()
        await writeFile(join(bench.work, 'main.go'), goSource(ledger))
        const env = { GOOS: system, GOARCH: processor, CGO_ENABLED: '0', GOCACHE: join(bench.work, 'cache') }
        await run('go', ['build', '-ldflags', '-s -w', '-o', 'program', 'main.go'], { cwd: bench.work, env })
        const bytes = await readFile(join(bench.work, 'program'))
        return [
          {
            format: `go ${system} ${processor}`,
            name: `${system}-${processor}`,
            bytes,
            planted: ledger.planted,
          },
        ]
      },
    }),
  ),
  {
    name: 'rust',
    async build(bench): Promise<Built[]> {
      const ledger = bench.ledger()
      await writeFile(join(bench.work, 'main.rs'), rustSource(ledger))
      await run('rustc', ['-O', '-C', 'strip=symbols', '-o', 'program', 'main.rs'], { cwd: bench.work })
      const bytes = await readFile(join(bench.work, 'program'))
      return [{ format: 'rust', name: 'by-rustc', bytes, planted: ledger.planted }]
    },
  },
]
