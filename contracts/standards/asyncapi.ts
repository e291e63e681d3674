import { referenceSignalingPolicy, unauthorizedCloseCode } from '../../fixtures/signaling/policy.ts'
import { exampleJwt } from '../consumers/contract.ts'

const userId = { type: 'string', description: 'The stable id that other users call.' }
const user = 'user-1'
const peer = 'user-2'

interface Message {
  readonly summary: string
  readonly fields: Readonly<Record<string, object>>
  readonly example: Readonly<Record<string, unknown>>
}

/** Messages that signaling sends, by the type of the frame. */
const received: Readonly<Record<string, Message>> = {
  welcome: {
    summary: 'The client has joined; who else is there.',
    fields: { userId, peers: { type: 'array', items: userId } },
    example: { userId: user, peers: [peer] },
  },
  presence: {
    summary: 'Another user has joined or left.',
    fields: { userId, state: { type: 'string', enum: ['joined', 'left'] } },
    example: { userId: peer, state: 'joined' },
  },
  ringing: {
    summary: 'Another user calls.',
    fields: { from: userId },
    example: { from: peer },
  },
  unreachable: {
    summary: 'The user that was called is not there.',
    fields: { userId },
    example: { userId: peer },
  },
  'token-expired': {
    summary: 'The token has expired; the connection stays. Only where the service is set up to say so.',
    fields: {},
    example: {},
  },
}
/** Messages that a client sends. */
const sent: Readonly<Record<string, Message>> = {
  call: {
    summary: 'Calls another user.',
    fields: { to: userId },
    example: { to: peer },
  },
}

/** AsyncAPI 3.0 of the reference's signaling. The specification leaves all of it open, so other services differ. */
export function describeInAsyncApi(): object {
  const { carriage, declaredUser } = referenceSignalingPolicy
  if (carriage.in !== 'subprotocol' || declaredUser.in !== 'query')
    throw new Error('the reference carries the token otherwise: describe that')
  const protocols = carriage.protocols.join(', ')
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Signaling of the reference',
      version: '1.0.0',
      description:
        'How the reference of twotoken speaks. A hosted service may carry the token in another place and send other frames.',
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
      contact: { name: 'The maintainers of twotoken', url: 'https://www.npmjs.com/package/twotoken' },
      tags: [{ name: 'signaling', description: 'Presence and calls of users who are connected.' }],
    },
    defaultContentType: 'application/json',
    servers: {
      reference: { host: 'signaling.calling.example', protocol: 'wss', description: 'Hosted signaling.' },
    },
    channels: {
      signaling: {
        address: '/ws',
        description: `A rejected client is closed with ${unauthorizedCloseCode}.`,
        servers: [{ $ref: '#/servers/reference' }],
        bindings: {
          ws: {
            bindingVersion: '0.1.0',
            method: 'GET',
            query: {
              type: 'object',
              required: [declaredUser.name],
              properties: { [declaredUser.name]: { ...userId, examples: [user] } },
            },
            headers: {
              type: 'object',
              required: ['Sec-WebSocket-Protocol'],
              properties: {
                'Sec-WebSocket-Protocol': {
                  type: 'string',
                  description: `The subprotocols ${protocols}, with the calling JWT for {jwt}.`,
                  examples: [protocols.replace('{jwt}', exampleJwt)],
                },
              },
            },
          },
        },
        messages: Object.fromEntries(
          Object.keys({ ...received, ...sent }).map((type) => [
            type,
            { $ref: `#/components/messages/${type}` },
          ]),
        ),
      },
    },
    operations: {
      receiveFromClient: operation('receive', 'What clients send.', sent),
      sendToClient: operation('send', 'What clients are sent.', received),
    },
    components: {
      securitySchemes: {
        callingJwt: {
          type: 'httpApiKey',
          in: 'header',
          name: 'Sec-WebSocket-Protocol',
          description: 'A calling JWT of the mint, for the user that the client declares.',
        },
      },
      messages: Object.fromEntries(
        Object.entries({ ...received, ...sent }).map(([type, message]) => [type, describe(type, message)]),
      ),
    },
  }
}

function operation(action: 'send' | 'receive', summary: string, messages: Readonly<Record<string, Message>>) {
  return {
    action,
    summary,
    channel: { $ref: '#/channels/signaling' },
    security: [{ $ref: '#/components/securitySchemes/callingJwt' }],
    messages: Object.keys(messages).map((type) => ({ $ref: `#/channels/signaling/messages/${type}` })),
  }
}

function describe(type: string, { summary, fields, example }: Message): object {
  return {
    name: type,
    title: type,
    summary,
    payload: {
      type: 'object',
      required: ['type', ...Object.keys(fields)],
      properties: { type: { const: type }, ...fields },
    },
    examples: [{ name: type, payload: { type, ...example } }],
  }
}
