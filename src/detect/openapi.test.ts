import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import { TwotokenError } from '../base/errors.ts'
import { readOpenApi } from './openapi.ts'

const variable = (name: string) => `\${${name}}`
const gives = (field: string, more: object = {}) => ({
  ...more,
  responses: {
    200: { content: { 'application/json': { schema: { properties: { [field]: { type: 'string' } } } } } },
  },
})
const document = (paths: object, more: object = {}) =>
  stringify({
    openapi: '3.1.0',
    servers: [{ url: 'https://shop.example/api/' }],
    security: [{ session: [] }],
    components: { securitySchemes: { session: { type: 'http', scheme: 'bearer' } } },
    paths,
    ...more,
  })
const routeIn = (paths: object, more?: object) => readOpenApi(document(paths, more), 'openapi.yaml').backend

test.each([
  [
    'of two methods POST',
    { '/calls/token': { get: gives('token'), post: gives('token') } },
    'POST',
    '/calls/token',
  ],
  ['GET where there is no other', { '/calls/token': { get: gives('token') } }, 'GET', '/calls/token'],
  [
    'the one for calls, not the login',
    { '/login': { post: gives('token') }, '/video/session': { post: gives('jwt') } },
    'POST',
    '/video/session',
  ],
  [
    'the one that is named so by its operation',
    { '/a': { post: gives('token') }, '/b': { post: gives('token', { operationId: 'startCall' }) } },
    'POST',
    '/b',
  ],
  [
    'the only one with a token beside a login',
    { '/login': { post: gives('token') }, '/t': { post: gives('token') } },
    'POST',
    '/t',
  ],
  [
    'not the mint',
    { '/api/v1/calling/token': { post: gives('token') }, '/t': { post: gives('token') } },
    'POST',
    '/t',
  ],
])('finds %s', (_, paths, method, path) => {
  expect(routeIn(paths)).toMatchObject({ found: { method, url: `https://shop.example/api${path}` } })
})

test.each([
  [
    'no route with a token',
    { '/users': { get: gives('name') } },
    {},
    'no GET or POST answers with a field "token"',
  ],
  [
    'a login alone',
    { '/login': { post: gives('token') } },
    {},
    'no GET or POST answers with a field "token"',
  ],
  [
    'two routes for calls',
    { '/calls/a': { post: gives('token') }, '/calls/b': { post: gives('token') } },
    {},
    '2 routes answer with a token: /calls/a, /calls/b: write backend.url',
  ],
  [
    'no server',
    { '/calls': { post: gives('token') } },
    { servers: [] },
    'the document names no server for /calls: write backend.url with its host',
  ],
  [
    'a path parameter without a value',
    {
      '/calls/{room}': {
        post: gives('token', { parameters: [{ in: 'path', name: 'room', required: true }] }),
      },
    },
    {},
    'the document gives no value for room in /calls/{room}: write backend.url',
  ],
])('does not guess with %s', (_, paths, more, missing) => {
  expect(routeIn(paths, more)).toEqual({ missing })
})

test('takes what every call needs from parameters and body, and leaves the rest to variables', () => {
  const parameters = [
    { in: 'header', name: 'X-Tenant', required: true, schema: { default: 'acme' } },
    { in: 'header', name: 'X-CSRF-Token', required: true, schema: { type: 'string' } },
    { in: 'header', name: 'Authorization', required: true, schema: { type: 'string' } },
    { in: 'header', name: 'X-Trace', schema: { default: 'off' } },
    { in: 'cookie', name: 'csrf', required: true, schema: { type: 'string' } },
    { in: 'query', name: 'v', required: true, examples: { one: { value: 2 } } },
  ]
  const schema = {
    required: ['device', 'room', 'home'],
    properties: { device: { enum: ['web'] }, room: { type: 'string' }, home: { default: variable('HOME') } },
  }
  const requestBody = { required: true, content: { 'application/json': { schema } } }
  expect(routeIn({ '/calls': { post: gives('token', { parameters, requestBody }) } })).toMatchObject({
    found: {
      request: {
        headers: { 'X-Tenant': 'acme', 'X-CSRF-Token': variable('TWOTOKEN_REQUEST_X_CSRF_TOKEN') },
        cookies: { csrf: variable('TWOTOKEN_REQUEST_CSRF') },
        query: { v: '2' },
        body: {
          json: {
            device: 'web',
            room: variable('TWOTOKEN_REQUEST_ROOM'),
            home: variable('TWOTOKEN_REQUEST_HOME'),
          },
        },
      },
    },
  })
})

test('a server that is relative belongs to the host of the document', () => {
  const text = document({ '/calls': { post: gives('token') } }, { servers: [{ url: '/v2' }] })
  expect(readOpenApi(text, 'x', 'https://shop.example/docs/openapi.json').backend).toMatchObject({
    found: { url: 'https://shop.example/v2/calls' },
  })
})

test('says where the document differs from the specification', () => {
  const security = {
    components: { securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: 'sid' } } },
  }
  expect(routeIn({ '/calls': { post: gives('jwt') } }, security)).toMatchObject({
    found: {
      remarks: [
        'the token route is POST /calls',
        'its token is in the field jwt; the specification has token',
        'it is secured by the cookie sid; the specification has the session as Authorization: Bearer',
      ],
    },
  })
})

test('a schema that refers to itself is read to an end', () => {
  const components = { schemas: { Loop: { allOf: [{ $ref: '#/components/schemas/Loop' }] } } }
  const schema = { $ref: '#/components/schemas/Loop' }
  const responses = { 200: { content: { 'application/json': { schema } } } }
  expect(routeIn({ '/calls': { post: { responses } } }, { components })).toHaveProperty('missing')
})

test.each([
  ['', 'has no mapping at its top'],
  ['a: [', 'cannot be parsed'],
  ['swagger: "2.0"', 'is Swagger 2.0'],
  ['openapi: 2', 'has no key openapi that begins with 3'],
])('%j is no such document', (text, message) => {
  expect(() => readOpenApi(text, 'openapi.yaml')).toThrow(TwotokenError)
  expect(() => readOpenApi(text, 'openapi.yaml')).toThrow(message)
})
