import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CompactSign } from 'jose'
import { startReference } from '../../fixtures/stack.ts'
import { openTempFolder } from '../../src/base/temp-folder.ts'
import type { Variant } from '../../src/requirement/define.ts'
import type { CheckResult } from '../../src/requirement/run.ts'
import { beginStorm } from '../../src/storm/begin-storm.ts'
import { judgeStorm } from '../../src/storm/judge-storm.ts'
import type { StormPlan } from '../../src/storm/plan.ts'
import { assertServes, findIdleAfter } from '../../src/storm/probe.ts'
import { runUser } from '../../src/storm/run-user.ts'
import { readTally } from '../../src/storm/storm.ts'
import type { Tally } from '../../src/storm/tally.ts'
import { openTarget } from '../../src/storm/target.ts'

const secret = randomBytes(32)
const patienceMs = 8_000

/** A session of any user, as the login of the reference would sign it. */
async function sessionOf(userId: string): Promise<{ userId: string; token: string }> {
  const claims = { iss: 'shop', sub: userId, sid: userId, exp: Math.floor(Date.now() / 1000) + 3600 }
  const token = await new CompactSign(new TextEncoder().encode(JSON.stringify(claims)))
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .sign(secret)
  return { userId, token }
}

/** Puts a variant of the reference under load, in this process. */
export async function judgeVariant(
  { backend, ...others }: Variant,
  plan: StormPlan,
): Promise<{ readonly checks: CheckResult[]; readonly tally: Tally }> {
  await using stack = new AsyncDisposableStack()
  const { path } = stack.use(await openTempFolder())
  const sessions = join(path, 'sessions.json')
  const users = Array.from({ length: plan.users }, (_, place) => sessionOf(`storm-user-${place}`))
  await writeFile(sessions, JSON.stringify(await Promise.all(users)))
  const { configuration } = stack.use(
    await startReference({
      withoutDouble: true,
      variant: {
        ...others,
        backend: { sessionForm: 'signed', sessionSecret: secret, ...backend },
        configuration: { load: { sessions } },
      },
    }),
  )
  const target = stack.use(await openTarget(configuration, { seed: 7, environment: {} }))
  await assertServes(target, plan)
  const storm = await beginStorm(target, plan)
  await Promise.all(Array.from({ length: plan.users }, () => runUser(storm)))
  const tally = readTally(storm)
  return { tally, checks: judgeStorm(tally, await findIdleAfter(target, plan, patienceMs)) }
}
