import { runProgram } from '../fixtures/package/run-program.ts'

// `npm run check`: what `npm test` leaves out. `npm run check -- PART [arguments]` runs one part.

/** The programs of each part, in turn. */
const parts: Readonly<Record<string, readonly string[]>> = {
  sources: [
    'biome check --error-on-warnings .',
    'tsc --noEmit',
    'knip',
    'fixtures/package/build.ts',
    'publint --strict',
    'publint --strict dist/audit-package',
  ],
  commands: ['vitest run --project commands'],
  faults: ['vitest run --project faults'],
  proof: ['proof/variants/print.ts --slice commit --rest'],
  packed: ['vitest run --config fixtures/package/vitest.config.ts'],
  site: ['vitest run --config docs/site/vitest.config.ts'],
  containers: ['vitest run --config fixtures/images/vitest.config.ts'],
  client: ['playwright test'],
}
/** These need nothing but the checkout. */
const usual = ['sources', 'commands', 'faults', 'proof']

const [part, ...args] = process.argv.slice(2)
const names = part === undefined ? usual : [part]
const unknown = names.find((name) => !Object.hasOwn(parts, name))
if (unknown !== undefined) {
  process.stderr.write(`check: unknown part "${unknown}"; use one of ${Object.keys(parts).join(', ')}\n`)
  process.exit(2)
}
for (const program of names.flatMap((name) => parts[name] ?? [])) {
  const code = await runProgram(program, args)
  if (code !== 0) process.exit(code)
}
