import { AsyncLocalStorage } from 'node:async_hooks'
import type { AnyCheck } from '../../src/requirement/define.ts'
import { loadCases } from './cases.ts'
import type { CaseChoice, FromProcess, ToProcess } from './proof-process.ts'
import { browsers } from './prove.ts'

// One process of `npm run proof`: it proves the cases that it is sent, several at once, and reports the cells of each.

const [written = ''] = process.argv.slice(2)
const { ids, conforming, slice, isRest, isWhole = false }: CaseChoice = JSON.parse(written)
const isChosen = ({ id, role }: AnyCheck) =>
  ids.length === 0 || ids.some((chosen) => role === chosen || id.startsWith(chosen))
const cases = (await loadCases(isChosen, { slice, isWhole })).filter(({ kind, name }) =>
  conforming === undefined
    ? !isWhole || kind === 'broken'
    : kind === 'conforming' && name.startsWith(conforming),
)
const isClients = (name: string) => /client\/|CLI-/.test(name)
const wanted = cases.filter(({ isQuick }) => !isRest || !isQuick)
/** Kinds may share a name. */
const named = new Map(wanted.map((one) => [`${one.kind} ${one.name}`, one]))
const say = (message: FromProcess) => process.send?.(message)

/** Names the case whose fixture or requirement threw what nothing caught: several run at once. */
const underWay = new AsyncLocalStorage<string>()
for (const event of ['unhandledRejection', 'uncaughtException'] as const)
  process.on(event, (error: unknown) => {
    const told = error instanceof Error ? (error.stack ?? error.message) : String(error)
    process.stderr.write(`${event} in the case ${underWay.getStore() ?? '(between cases)'}: ${told}\n`)
    process.exit(1)
  })

process.on('message', async (message: ToProcess) => {
  if ('end' in message) {
    await browsers[Symbol.asyncDispose]()
    process.disconnect()
    return
  }
  const begun = performance.now()
  const wanted = named.get(message.prove)
  const cells = wanted === undefined ? [] : await underWay.run(message.prove, () => wanted.prove())
  const seconds = (performance.now() - begun) / 1000
  say({ proved: { name: message.prove, cells, seconds } })
})
// The longest work begins first: conforming variants meet every requirement.
const order = ['reference', 'conforming', 'degenerate', 'broken'] as const
const names = [...named]
  .sort(([, one], [, two]) => order.indexOf(one.kind) - order.indexOf(two.kind))
  .map(([name]) => name)
const clients = names.filter(isClients)
say({ clients, others: names.filter((name) => !isClients(name)) })
