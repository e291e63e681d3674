import type { PactV4 } from '@pact-foundation/pact'
import type { Level } from '../../src/base/verdict.ts'
import { findCheck, loadCatalogue } from '../../src/catalogue/load-requirements.ts'

type Interaction = ReturnType<PactV4['addInteraction']>
type Answered = ReturnType<ReturnType<Interaction['withRequest']>['willRespondWith']>

/** One interaction of a contract, together with the real client code that has it. */
export interface Case {
  /** Stable: the name of the interaction in every result file. */
  readonly id: string
  readonly title: string
  /** The requirements that it touches. */
  readonly requirements: readonly string[]
  /** How binding the exact answer is where the provider refuses; that it refuses is binding in any case. */
  readonly level: Level
  describe(interaction: Interaction): Answered
  /** Has the interaction with the mock server; throws where the client does not behave. */
  drive(url: string): Promise<void>
}

/** The expectations of one consumer on one provider: a pact file. */
export interface Contract {
  readonly consumer: string
  readonly provider: 'mint' | 'backend'
  readonly cases: readonly Case[]
}

/** Adds the case to the pact and drives the client against it; the pact file is written when that went well. */
export async function agree(
  pact: PactV4,
  { id, title, requirements, level, describe, drive }: Case,
): Promise<void> {
  const catalogue = await loadCatalogue()
  const clauses = new Set(requirements.flatMap((requirement) => findCheck(requirement, catalogue).clauses))
  const interaction = pact
    .addInteraction()
    .uponReceiving(title)
    .reference('twotoken', 'id', id)
    .reference('twotoken', 'requirements', requirements.join(', '))
    .reference('twotoken', 'clauses', [...clauses].toSorted().join(', '))
    .reference('twotoken', 'level', level)
  await describe(interaction).executeTest(({ url }) => drive(url))
}

/** A compact JWS or JWE: the first part is a base64url JSON object. */
export const jwtPattern = '^e[wy][A-Za-z0-9_-]+(?:\\.[A-Za-z0-9_-]*){2}(?:(?:\\.[A-Za-z0-9_-]*){2})?$'

/** Has the form of a JWT and proves nothing: an unsigned one without a claim. */
export const exampleJwt = 'eyJhbGciOiJub25lIn0.e30.'
