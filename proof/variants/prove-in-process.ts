import { monitorEventLoopDelay } from 'node:perf_hooks'
import { proofApp } from '../../fixtures/stack.ts'
import { loadCases } from './cases.ts'
import type { CaseChoice, FromProcess, ToProcess } from './proof-process.ts'
import { browsers } from './prove.ts'

// One process of `npm run proof`: it proves the cases that it is sent, several at once, and reports the cells of each.

const [written = ''] = process.argv.slice(2)
const { ids, conforming, isSlice, isRest }: CaseChoice = JSON.parse(written)
const cases = (
  await loadCases(({ id }) => ids.length === 0 || ids.some((start) => id.startsWith(start)), { isSlice })
).filter(
  ({ kind, name }) => conforming === undefined || (kind === 'conforming' && name.startsWith(conforming)),
)
const isClients = (name: string) => /client\/|CLI-/.test(name)
const wanted = cases.filter(({ kind, name }) => !isRest || kind === 'conforming' || isClients(name))
/** Kinds may share a name. */
const named = new Map(wanted.map((one) => [`${one.kind} ${one.name}`, one]))
const say = (message: FromProcess) => process.send?.(message)

const delay = monitorEventLoopDelay()
delay.enable()

process.on('message', async (message: ToProcess) => {
  if ('end' in message) {
    await browsers[Symbol.asyncDispose]()
    process.disconnect()
    return
  }
  const begun = performance.now()
  const cells = (await named.get(message.prove)?.prove()) ?? []
  const seconds = (performance.now() - begun) / 1000
  say({ proved: { name: message.prove, cells, seconds, lagMs: delay.max / 1e6 } })
  delay.reset()
})
// The longest work begins first: conforming variants meet every requirement.
const order = ['reference', 'conforming', 'degenerate', 'broken'] as const
const names = [...named]
  .sort(([, one], [, two]) => order.indexOf(one.kind) - order.indexOf(two.kind))
  .map(([name]) => name)
const clients = names.filter(isClients)
// Before anything is judged: a build takes the whole machine for seconds.
if (clients.length > 0) await proofApp()
say({ clients, others: names.filter((name) => !isClients(name)) })
