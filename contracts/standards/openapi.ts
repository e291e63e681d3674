import { mintContract } from '../../src/contract/mint.ts'
import { jwtPattern } from '../consumers/contract.ts'
import type { PactCase } from './pact-cases.ts'

const license = { name: 'Apache-2.0', identifier: 'Apache-2.0' }
const error = {
  type: 'object',
  required: ['error'],
  properties: { error: { type: 'string', description: 'What went wrong, for the reader of a log.' } },
}
/** The format of a success of the mint is open: each of these is in use. */
const minted = {
  'application/json': {
    schema: {
      anyOf: [
        {
          type: 'object',
          required: [mintContract.token],
          properties: { [mintContract.token]: { $ref: '#/components/schemas/CallingJwt' } },
        },
        {
          type: 'object',
          required: ['jwt'],
          properties: { jwt: { $ref: '#/components/schemas/CallingJwt' } },
        },
        { $ref: '#/components/schemas/CallingJwt' },
      ],
    },
  },
  'text/plain': { schema: { $ref: '#/components/schemas/CallingJwt' } },
}
const routed = {
  'application/json': {
    schema: {
      type: 'object',
      required: ['token'],
      properties: { token: { $ref: '#/components/schemas/CallingJwt' } },
    },
  },
}
const routeError = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } }

interface Answer {
  readonly description: string
  readonly content?: Readonly<Record<string, { readonly schema: object }>>
}

interface Operation {
  readonly provider: string
  readonly path: string
  readonly method: string
  readonly description: object
  readonly answers: Readonly<Record<string, Answer>>
}

const { refusals } = mintContract
const mintAnswers: Readonly<Record<string, Answer>> = {
  200: {
    description: 'A calling JWT for the user. Any other status of success means the same.',
    content: minted,
  },
  [refusals.noUser]: {
    description: 'The request names no user. The status is not specified; another 4xx is as good.',
  },
  [refusals.unknownKey]: { description: 'The API key is unknown.' },
  [refusals.trialEnded]: { description: 'The trial has ended.' },
  [refusals.suspended]: { description: 'The project is suspended.' },
  [refusals.atCap]: { description: 'The project is at its cap.' },
  default: { description: 'Anything else is a failure to mint, whatever its body.' },
}
const routeAnswers: Readonly<Record<string, Answer>> = {
  200: { description: "A calling JWT for the session's user.", content: routed },
  401: { description: 'The session is missing, unknown or expired.', content: routeError },
  502: { description: 'The mint gave no token.', content: routeError },
  default: { description: 'Any other failure.' },
}

const route = {
  tags: ['customer backend'],
  summary: 'A calling JWT for the user of a session',
  description:
    'The user comes from the session, never from the request. The path and the methods are the choice of the customer; a backend may have one of the two.',
  security: [{ session: [] }],
}

const operations: readonly Operation[] = [
  {
    provider: 'mint',
    path: mintContract.path,
    method: mintContract.method.toLowerCase(),
    description: {
      operationId: 'mintCallingToken',
      tags: ['mint'],
      summary: 'Mints a calling JWT for one user',
      description: 'For servers only: the API key must never reach a client.',
      servers: [{ url: 'https://mint.calling.example', description: 'The calling service.' }],
      security: [{ apiKey: [] }],
    },
    answers: mintAnswers,
  },
  {
    provider: 'backend',
    path: '/calling/token',
    method: 'post',
    description: { operationId: 'fetchCallingToken', ...route },
    answers: routeAnswers,
  },
  {
    provider: 'backend',
    path: '/calling/token',
    method: 'get',
    description: { operationId: 'getCallingToken', ...route },
    answers: routeAnswers,
  },
]

/** OpenAPI 3.1 of the mint and of the customer's token route, with the examples of the pacts. */
export function describeInOpenApi(cases: readonly PactCase[]): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const operation of operations) {
    const { provider, path, method, description } = operation
    const agreed = cases.filter(
      (one) => one.provider === provider && one.method === method && one.path === path,
    )
    const orders = agreed.filter(({ status, sent }) => status === 200 && sent !== undefined)
    paths[path] ??= {}
    paths[path][method] = {
      ...description,
      ...(orders.length > 0 && {
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: { $ref: '#/components/schemas/MintRequest' },
              examples: examplesOf(orders.map(({ title, sent }) => ({ title, name: title, value: sent }))),
            },
          },
        },
      }),
      responses: Object.fromEntries(
        Object.entries(operation.answers).map(([status, answer]) => [
          status,
          withExamples(answer, status, agreed),
        ]),
      ),
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Calling tokens',
      version: '1.0.0',
      summary: 'The two HTTP interfaces of the two-token flow, as twotoken judges them.',
      license,
    },
    servers: [{ url: 'https://backend.customer.example', description: 'The backend of the customer.' }],
    tags: [
      { name: 'mint', description: 'The endpoint of the calling service.' },
      { name: 'customer backend', description: 'The token route that the app calls.' },
    ],
    paths,
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'A server-only key, ac_live_….' },
        session: { type: 'http', scheme: 'bearer', description: "The app's own sessionToken." },
      },
      schemas: {
        MintRequest: {
          type: 'object',
          required: ['userId'],
          properties: {
            userId: { type: 'string', minLength: 1, description: 'The stable id that other users call.' },
            ttlSeconds: {
              type: 'integer',
              description: 'The lifetime asked for, in seconds; a service may raise or lower it.',
            },
          },
        },
        CallingJwt: {
          type: 'string',
          pattern: jwtPattern,
          description: 'A compact JWS or JWE that names the user and its expiry.',
        },
        Error: error,
      },
    },
  }
}

function withExamples({ description, content }: Answer, status: string, cases: readonly PactCase[]): object {
  if (content === undefined) return { description }
  // Where the format is open, each consumer stands for one.
  const hasVersions = new Set(cases.map(({ consumer }) => consumer)).size > 1
  const filled = Object.entries(content).map(([type, { schema }]) => {
    const shown = cases.flatMap(({ consumer, title, status: agreed, received }) =>
      String(agreed) === status && received?.contentType === type
        ? [{ title, name: hasVersions ? consumer : title, value: received.content }]
        : [],
    )
    return [type, { schema, ...(shown.length > 0 && { examples: examplesOf(shown) }) }]
  })
  return { description, content: Object.fromEntries(filled) }
}

interface Shown {
  readonly title: string
  readonly name: string
  readonly value: unknown
}

/** Each value once. */
function examplesOf(shown: readonly Shown[]): object {
  const byValue = new Map(shown.toReversed().map((one) => [JSON.stringify(one.value), one]))
  const distinct = shown.filter((one) => byValue.get(JSON.stringify(one.value)) === one)
  return Object.fromEntries(
    distinct.map(({ title, name, value }) => [name.replaceAll(/\W+/g, '-'), { summary: title, value }]),
  )
}
