import { invent } from './invent.ts'

// `npm run proof -- mask [-- COUNT [FIRST]]`: so many invented encodings, of which the gate runs a slice.

const [count = '10000', first = '0'] = process.argv.slice(2)
const seeds = Array.from({ length: Number(count) }, (_, index) => Number(first) + index)
const leaks = seeds.map(invent).filter(({ leak }) => leak !== null)
for (const { seed, how, leak, encoded, shown } of leaks.slice(0, 20))
  process.stdout.write(`${JSON.stringify({ seed, how, leak, encoded, shown }, null, 1)}\n`)
process.stdout.write(`${seeds.length} encodings, ${leaks.length} that show eight characters of a secret\n`)
process.exitCode = leaks.length === 0 ? 0 : 1
