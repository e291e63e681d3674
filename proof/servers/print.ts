import { mistakes } from '../../fixtures/servers/server.ts'
import { loadCatalogue } from '../../src/catalogue/load-requirements.ts'
import { essential, judgeByExample } from './judge-by-example.ts'
import { caughtBy, missingOf, products } from './products.ts'

// `npm run proof -- products`: real servers, judged by the example that is shipped for each. One that is set up rightly is
// accused of nothing, and each of the usual mistakes is caught.

const [only] = process.argv.slice(2)
const checks = (await loadCatalogue()).filter(({ role }) => role === 'signaling')
const names = Object.keys(mistakes) as (keyof typeof mistakes)[]
let judged = 0
let wrong = 0

/** Prints the outcome for one server; true where it is as expected. */
async function prove(name: string, mistake: keyof typeof mistakes | undefined): Promise<boolean> {
  const product = products[name]
  if (product === undefined) throw new Error(`there is no server ${name}`)
  await using server = await product.start(mistake)
  const wanted = mistake === undefined ? essential : [caughtBy[mistake]]
  const some = checks.filter(({ id }) => wanted.includes(id))
  const results = await judgeByExample(`examples/${product.example ?? name}`, server, some, {
    withKey: true,
  })
  const expected = mistake === undefined ? 'pass' : 'fail'
  const isRight = results.length > 0 && results.every(({ verdict }) => verdict === expected)
  process.stdout.write(`${isRight ? 'ok   ' : 'WRONG'} ${name}, ${mistake ?? 'set up as documented'}\n`)
  for (const { id, verdict, reason, findings } of isRight ? [] : results) {
    const why = [reason, ...findings.map(({ message }) => message)].filter((text) => text !== null)
    process.stdout.write(`      ${verdict} ${id}: ${why.join('; ').slice(0, 300)}\n`)
  }
  return isRight
}

for (const [name, product] of Object.entries(products)) {
  if (only !== undefined && only !== name) continue
  const missing = await missingOf(product)
  if (missing.length > 0) {
    process.stdout.write(`not installed: ${name} (apt-get install ${missing.join(' ')})\n`)
    continue
  }
  // Most of it is waiting.
  const outcomes = await Promise.all(
    [undefined, ...names].map((mistake) =>
      prove(name, mistake).catch((error: unknown) => {
        process.stdout.write(
          `WRONG ${name}, ${mistake ?? 'set up as documented'}: ${error instanceof Error ? error.message : String(error)}\n`,
        )
        return false
      }),
    ),
  )
  judged += outcomes.length
  wrong += outcomes.filter((isRight) => !isRight).length
}
process.stdout.write(`${judged} servers, ${wrong} wrong\n`)
process.exitCode = wrong > 0 || judged === 0 ? 1 : 0
