import { runProgram } from '../fixtures/package/run-program.ts'

// `npm run proof -- NAME`: one of the proofs below. Without a name, or with requirements or roles in its place, `variants`.

/** The program of each proof, and the claim that it proves. */
const proofs: Readonly<Record<string, readonly [program: string, what: string]>> = {
  variants: [
    'proof/variants/print.ts',
    'broken variants are caught, conforming ones not accused; ids or roles',
  ],
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

const [name = '', ...rest] = process.argv.slice(2)
if (name === '--list') {
  for (const [known, [, what]] of Object.entries(proofs))
    process.stdout.write(`${known.padEnd(11)} ${what}\n`)
} else {
  const [program, args] = Object.hasOwn(proofs, name)
    ? [proofs[name]?.[0] ?? '', rest]
    : ['proof/variants/print.ts', process.argv.slice(2)]
  process.exitCode = await runProgram(program, args)
}
