import assert from 'node:assert/strict'
import { HTTPResponseStatusClass, Matchers } from '@pact-foundation/pact'
import { backendAuthToken } from '../../fixtures/app/sdk/backend-auth-token.ts'
import { type Case, type Contract, exampleJwt, jwtPattern } from './contract.ts'

const { fromProviderState, like, matchStatus, regex } = Matchers
const path = '/calling/token'
const exampleSession = 'example-session'

export const customerRouteContract: Contract = {
  consumer: 'app',
  provider: 'backend',
  cases: [
    succeeds('PACT-BACK-01', 'POST', ['BACK-01']),
    succeeds('PACT-BACK-02', 'GET', ['BACK-01', 'BACK-12']),
    refused('PACT-BACK-03', 'BACK-02', 'invalid', 'a calling token with a session that was never issued'),
    refused('PACT-BACK-04', 'BACK-02', 'expired', 'a calling token with a session that has expired'),
    {
      id: 'PACT-BACK-05',
      title: 'a calling token while the mint gives none',
      requirements: ['BACK-07'],
      level: 'SHOULD',
      describe: (interaction) =>
        asked(interaction, 'POST', 'live', 'failing').willRespondWith(502, (response) =>
          response.jsonBody({ error: like('calling is not available') }),
        ),
      drive: (url) => assert.rejects(getAuthToken(url, 'POST')(), /502/),
    },
  ],
}

type Interaction = Parameters<Case['describe']>[0]

function asked(interaction: Interaction, method: string, session: string, mint: string) {
  return interaction
    .given('a session', { state: session })
    .given('a mint', { state: mint })
    .withRequest(method, path, (request) =>
      request.headers({
        // biome-ignore lint/suspicious/noTemplateCurlyInString: the expression is Pact's, filled in from the provider state
        authorization: fromProviderState('Bearer ${session}', `Bearer ${exampleSession}`),
      }),
    )
}

function succeeds(id: string, method: 'POST' | 'GET', requirements: readonly string[]): Case {
  return {
    id,
    title: `a calling token by ${method}`,
    requirements,
    level: 'MUST',
    describe: (interaction) =>
      asked(interaction, method, 'live', 'working').willRespondWith(
        matchStatus(200, HTTPResponseStatusClass.Success),
        (response) => response.jsonBody({ token: regex(jwtPattern, exampleJwt) }),
      ),
    async drive(url) {
      assert.equal(await getAuthToken(url, method)(), exampleJwt)
    },
  }
}

function refused(id: string, requirement: string, session: string, title: string): Case {
  return {
    id,
    title,
    requirements: [requirement],
    level: 'SHOULD',
    describe: (interaction) =>
      asked(interaction, 'POST', session, 'working').willRespondWith(401, (response) =>
        response.jsonBody({ error: like('sign in first') }),
      ),
    drive: (url) => assert.rejects(getAuthToken(url, 'POST')(), /401/),
  }
}

/** The SDK's example, which goes by POST; an app that goes by GET differs in nothing else. */
function getAuthToken(url: string, method: 'POST' | 'GET'): () => Promise<string> {
  return backendAuthToken({
    url: url + path,
    sessionToken: () => exampleSession,
    fetch: (target, options) => fetch(target, { ...options, method }),
  })
}
