import { judgeBackend, notAllowed } from './judge-backend.ts'
import { type Block, readSnippets } from './snippets.ts'
import type { RunFramework } from './start-blocks.ts'

// The blocks that need more than Node, as tests judge the others. `node docs/fixes/prove.ts rails` judges one.

const [only] = process.argv.slice(2)
const snippets = await readSnippets()

/** Prints the outcome on one line, and every requirement that is not met below it; resolves with whether all are. */
async function proveFramework(framework: RunFramework, blocks: readonly Block[]): Promise<boolean> {
  const { results, allowedOrigin } = await judgeBackend(framework, blocks)
  const others = results.filter(
    ({ id, verdict }) =>
      verdict !== 'pass' && verdict !== 'info' && !(verdict === 'not-applicable' && id === notAllowed),
  )
  const isAllowed = allowedOrigin !== null
  const origin = isAllowed ? 'its own origin is allowed' : 'its own origin is NOT allowed'
  process.stdout.write(`${framework}: ${results.length} requirements, ${others.length} not met; ${origin}\n`)
  for (const { id, verdict, reason, findings } of others) {
    const why = [reason, ...findings.map(({ message }) => message)].filter((text) => text !== null)
    process.stdout.write(`  ${verdict} ${id}: ${why.join('; ')}\n`)
  }
  return isAllowed && results.length > 0 && others.length === 0
}

let proven = 0
for (const framework of ['fastapi', 'rails', 'spring'] as const) {
  if (only !== undefined && only !== framework) continue
  const isProven = await proveFramework(framework, snippets.backend[framework]).catch((error: unknown) => {
    process.stdout.write(`${framework}: ${error instanceof Error ? error.message : String(error)}\n`)
    return false
  })
  if (isProven) proven += 1
  else process.exitCode = 1
}
process.stdout.write(`${proven} frameworks proven\n`)
if (proven === 0) process.exitCode = 1
