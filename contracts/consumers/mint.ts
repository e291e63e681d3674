import assert from 'node:assert/strict'
import { HTTPResponseStatusClass, Matchers } from '@pact-foundation/pact'
import {
  createMintClient,
  MintFailure,
  type MintOrder,
  mintCall,
} from '../../fixtures/backend/mint-client.ts'
import { mintContract } from '../../src/contract/mint.ts'
import { type Case, type Contract, exampleJwt, jwtPattern } from './contract.ts'

const { fromProviderState, integer, like, matchStatus, regex } = Matchers
const { method, path, key, request: fields, refusals } = mintContract
const exampleKey = `${key.prefix}example`
/** Which of the successful statuses it is, is nowhere specified. */
const anySuccess = matchStatus(200, HTTPResponseStatusClass.Success)

/** The shapes in which a mint may carry the token: the specification leaves them open, so each is a contract of its own. */
const shapes = {
  token: { contentType: 'application/json', body: { [mintContract.token]: regex(jwtPattern, exampleJwt) } },
  jwt: { contentType: 'application/json', body: { jwt: regex(jwtPattern, exampleJwt) } },
  'json-string': { contentType: 'application/json', body: regex(jwtPattern, exampleJwt) },
  'bare-text': { contentType: 'text/plain', body: null },
} as const

type Shape = keyof typeof shapes

export const mintContracts: readonly Contract[] = (Object.keys(shapes) as Shape[]).map((shape) => ({
  consumer: `backend-${shape}`,
  provider: 'mint',
  cases: casesOf(shape),
}))

function casesOf(shape: Shape): Case[] {
  return [
    {
      id: 'PACT-MINT-01',
      title: 'a calling token for fifteen minutes',
      requirements: ['MINT-01', 'MINT-02', 'MINT-03', 'MINT-10'],
      level: 'MUST',
      describe: (interaction) => succeeds(interaction, shape, { userId: 'user-1', ttlSeconds: 900 }),
      drive: (url) => mints(url, { userId: 'user-1', ttlSeconds: 900 }),
    },
    {
      id: 'PACT-MINT-02',
      title: 'a calling token of no particular lifetime',
      requirements: ['MINT-01', 'MINT-02', 'MINT-03', 'MINT-09'],
      level: 'MUST',
      describe: (interaction) => succeeds(interaction, shape, { userId: 'user-1', ttlSeconds: undefined }),
      drive: (url) => mints(url, { userId: 'user-1', ttlSeconds: undefined }),
    },
    refused(
      'PACT-MINT-03',
      'MINT-05',
      'unknown',
      refusals.unknownKey,
      'a calling token with a key that was never issued',
    ),
    refused(
      'PACT-MINT-04',
      'MINT-15',
      'trial ended',
      refusals.trialEnded,
      'a calling token after the trial has ended',
    ),
    refused(
      'PACT-MINT-05',
      'MINT-16',
      'suspended',
      refusals.suspended,
      'a calling token for a suspended project',
    ),
    refused('PACT-MINT-06', 'MINT-17', 'at its cap', refusals.atCap, 'a calling token beyond the mint cap'),
    {
      id: 'PACT-MINT-07',
      title: 'a calling token for nobody',
      requirements: ['MINT-08'],
      level: 'INFO',
      describe: (interaction) =>
        asked(interaction, 'active', { userId: undefined, ttlSeconds: 900 }).willRespondWith(
          matchStatus(refusals.noUser, HTTPResponseStatusClass.ClientError),
        ),
      async drive(url) {
        await using client = createMintClient({ mintUrl: url, apiKey: exampleKey })
        const reply = await client.send(mintCall({ userId: undefined, ttlSeconds: 900 }, exampleKey))
        assert.equal(reply.status, refusals.noUser)
      },
    },
  ]
}

type Interaction = Parameters<Case['describe']>[0]

function asked(interaction: Interaction, state: string, { userId, ttlSeconds }: MintOrder) {
  return interaction.given('an API key', { state }).withRequest(method, path, (request) =>
    request
      .headers({
        // biome-ignore lint/suspicious/noTemplateCurlyInString: the expression is Pact's, filled in from the provider state
        authorization: fromProviderState('Bearer ${apiKey}', `Bearer ${exampleKey}`),
      })
      .jsonBody({
        ...(userId === undefined ? {} : { [fields.user]: like(userId) }),
        ...(typeof ttlSeconds === 'number' ? { [fields.lifetime]: integer(ttlSeconds) } : {}),
      }),
  )
}

function succeeds(interaction: Interaction, shape: Shape, order: MintOrder) {
  const { contentType, body } = shapes[shape]
  return asked(interaction, 'active', order).willRespondWith(anySuccess, (response) => {
    if (body !== null) response.jsonBody(body)
    else
      response
        .body(contentType, Buffer.from(exampleJwt))
        .matchingRules({ body: { path: '$', rules: [regex(jwtPattern, exampleJwt)] } })
  })
}

/** Status only: the specification leaves the body of an error open. */
function refused(id: string, requirement: string, state: string, status: number, title: string): Case {
  const order = { userId: 'user-1', ttlSeconds: 900 }
  return {
    id,
    title,
    requirements: [requirement],
    level: 'TYPICAL',
    describe: (interaction) => asked(interaction, state, order).willRespondWith(status),
    async drive(url) {
      await using client = createMintClient({ mintUrl: url, apiKey: exampleKey })
      await assert.rejects(
        client.mint(order),
        (error) => error instanceof MintFailure && error.reply?.status === status,
      )
    },
  }
}

async function mints(url: string, order: MintOrder): Promise<void> {
  await using client = createMintClient({ mintUrl: url, apiKey: exampleKey })
  assert.equal(await client.mint(order), exampleJwt)
}
