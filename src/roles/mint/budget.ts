import { Untested } from '../../base/inconclusive.ts'
import { whatIsJudged } from '../../base/judging.ts'

export type MintBudget = ReturnType<typeof createMintBudget>

/** How many calling tokens a run may have issued. What would go beyond it is not asked for. `limit` null: as many as it takes. */
export function createMintBudget(limit: number | null) {
  let issued = 0
  let asked = 0
  let settled = Promise.withResolvers<void>()
  const settle = () => {
    asked -= 1
    settled.resolve()
    settled = Promise.withResolvers()
  }
  const deny = (): Untested => {
    const { tokens } = whatIsJudged()
    if (tokens !== undefined) tokens.isDenied = true
    return new Untested(`the limit of ${limit} calling tokens (--max-mints) is reached`)
  }
  return {
    /** Runs one request that issues a token, or refuses to; throws `Untested` where no token is left. */
    async spend<T>(request: () => Promise<T>, hasIssued: (outcome: T) => boolean): Promise<T> {
      // Requests under way may yet be refused, and leave their tokens to others.
      while (limit !== null && issued + asked >= limit) {
        if (asked === 0 || issued >= limit) throw deny()
        await settled.promise
      }
      asked += 1
      try {
        const outcome = await request()
        if (hasIssued(outcome)) issued += 1
        return outcome
      } finally {
        settle()
      }
    },
    /** Tokens that were issued so far. */
    issued: () => issued,
    /** A token that was issued to the backend on our behalf: it counts, and cannot be refused. */
    count(): void {
      issued += 1
    },
  }
}

/** Refuses nothing, and counts: a backend that was refused a token for our sake would look broken. */
export function countOnly(budget: MintBudget): MintBudget {
  return {
    ...budget,
    async spend(ask, hasIssued) {
      const outcome = await ask()
      if (hasIssued(outcome)) budget.count()
      return outcome
    },
  }
}
