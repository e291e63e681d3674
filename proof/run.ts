import { runProgram } from '../fixtures/package/run-program.ts'

// `npm run proof -- NAME`: one of the proofs below; `all` for each in turn. Without a name, or with requirements or roles in
// its place, `variants`.

/** The program of each proof, and the claim that it proves. */
const proofs: Readonly<Record<string, readonly [program: string, what: string]>> = {
  variants: [
    'proof/variants/print.ts',
    'broken variants are caught, conforming ones not accused; ids or roles',
  ],
  whole: ['proof/variants/print.ts --whole', 'broken variants are caught beside all other requirements'],
  stories: ['proof/explore/print.ts', 'explorations find faults that only a sequence shows'],
  load: ['proof/load/run.ts', 'the Artillery processor of examples/load finds mixed-up users'],
  peers: ['proof/peers/run.ts', 'Socket.IO, MQTT and other packages of npm, linters and schemas'],
  products: ['proof/servers/print.ts', 'nchan, Prosody, ejabberd and mosquitto, right and wrong'],
  foreign: ['proof/foreign/print.ts', 'services in Ruby, PHP and Python, with 60 faults'],
  fixes: ['docs/fixes/prove.ts', 'the fixes for FastAPI, Rails and Spring'],
  frameworks: ['proof/frameworks/run.ts', 'token routes in eight frameworks, with their usual mistakes'],
  gateways: ['proof/gateways/run.ts', 'whole runs behind nginx and HAProxy have no violation'],
  audit: ['audit/proof/run.ts', 'recall of the audit on real apps'],
  bundles: ['audit/proof/bundles/run.ts', 'clean builds of popular packages have no finding'],
  mask: ['src/base/evidence/testing/prove.ts', '10,000 encoded secrets stay hidden'],
}

const isKnown = (name: string) => Object.hasOwn(proofs, name)
const run = (name: string, args: readonly string[]) => runProgram(proofs[name]?.[0] ?? '', args)

const [name = '', ...rest] = process.argv.slice(2)
if (name === '--list') {
  const lines = Object.entries(proofs).map(([known, [, what]]) => `${known.padEnd(11)} ${what}\n`)
  process.stdout.write(lines.join(''))
} else if (name === 'all') {
  const failed: string[] = []
  for (const one of Object.keys(proofs)) {
    process.stdout.write(`\n== npm run proof -- ${one}\n`)
    if ((await run(one, rest)) !== 0) failed.push(one)
  }
  process.stdout.write(failed.length === 0 ? '\nall proofs passed\n' : `\nfailed: ${failed.join(', ')}\n`)
  process.exitCode = failed.length === 0 ? 0 : 1
} else process.exitCode = isKnown(name) ? await run(name, rest) : await run('variants', process.argv.slice(2))
