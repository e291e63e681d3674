import { startEjabberd } from '../../fixtures/servers/ejabberd.ts'
import { startMosquitto } from '../../fixtures/servers/mosquitto.ts'
import { startNchan } from '../../fixtures/servers/nchan.ts'
import { startProsody } from '../../fixtures/servers/prosody.ts'
import { type ForeignServer, type Mistake, mistakes } from '../../fixtures/servers/server.ts'
import { loadCatalogue } from '../../src/catalogue/load-requirements.ts'
import { messageOf, missingPackages, tell } from '../outcome.ts'
import { whyOf } from '../variants/table.ts'
import { caughtBy, essential, judgeByExample } from './judge-by-example.ts'

// `npm run proof -- products`: real servers, judged by the example that is shipped for each. One that is set up rightly is
// accused of nothing, and each of the usual mistakes is caught.

/** Products as they are installed, set up rightly or with a mistake. */
interface Product {
  /** Packages of Debian. */
  readonly debian: readonly string[]
  /** The folder of its example, where it has another name. */
  readonly example?: string
  start(mistake?: Mistake): Promise<ForeignServer>
}

const products: Readonly<Record<string, Product>> = {
  nchan: { debian: ['nginx', 'libnginx-mod-nchan'], start: startNchan },
  prosody: { debian: ['prosody'], start: startProsody },
  ejabberd: { debian: ['ejabberd'], start: startEjabberd },
  mosquitto: {
    debian: ['mosquitto', 'gcc', 'libc6-dev', 'libjwt-dev', 'libmosquitto-dev', 'mosquitto-dev'],
    example: 'mqtt-profile',
    start: startMosquitto,
  },
}

const [only] = process.argv.slice(2)
const checks = (await loadCatalogue()).filter(({ role }) => role === 'signaling')
const names = Object.keys(mistakes) as Mistake[]
let judged = 0
let wrong = 0

/** Prints the outcome for one server; true where it is as expected. */
async function prove(name: string, product: Product, mistake: Mistake | undefined): Promise<boolean> {
  await using server = await product.start(mistake)
  const wanted = mistake === undefined ? essential : [caughtBy[mistake]]
  const some = checks.filter(({ id }) => wanted.includes(id))
  const results = await judgeByExample(`examples/${product.example ?? name}`, server, some, {
    withKey: true,
  })
  const expected = mistake === undefined ? 'pass' : 'fail'
  const isRight = results.length > 0 && results.every(({ verdict }) => verdict === expected)
  tell(`${isRight ? 'ok   ' : 'WRONG'} ${name}, ${mistake ?? 'set up as documented'}`)
  for (const result of isRight ? [] : results)
    tell(`      ${result.verdict} ${result.id}: ${whyOf(result).slice(0, 300)}`)
  return isRight
}

for (const [name, product] of Object.entries(products)) {
  if (only !== undefined && only !== name) continue
  const missing = await missingPackages(product.debian)
  if (missing.length > 0) {
    tell(`not installed: ${name} (apt-get install ${missing.join(' ')})`)
    continue
  }
  // Most of it is waiting.
  const outcomes = await Promise.all(
    [undefined, ...names].map((mistake) =>
      prove(name, product, mistake).catch((error: unknown) => {
        tell(`WRONG ${name}, ${mistake ?? 'set up as documented'}: ${messageOf(error)}`)
        return false
      }),
    ),
  )
  judged += outcomes.length
  wrong += outcomes.filter((isRight) => !isRight).length
}
tell(`${judged} servers, ${wrong} wrong`)
process.exitCode = wrong > 0 || judged === 0 ? 1 : 0
