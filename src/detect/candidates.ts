import type { MessageSign } from '../roles/signaling/signs.ts'
import type { Draft, Piece, Place } from './draft.ts'
import {
  capitalPrefixes,
  containers,
  cookieNames,
  fieldTokens,
  fieldUsers,
  hellos,
  kindFields,
  kinds,
  subprotocolPairs,
  subprotocolPrefixes,
  texts,
  tokenHeaders,
  tokenNames,
  userHeaders,
  userNames,
} from './known-names.ts'

/** Bytes of credentials in one attempt: half of what common servers allow all headers together. */
const bytesAtOnce = 6000

/**
 * Lists the drafts to try at one place, each sending as much as a service may ask for. With `declared` the
 * client also states its userId wherever some service looks for it.
 */
export function listDrafts(
  where: Place,
  {
    declared,
    tokenBytes,
    greeting,
  }: { readonly declared: boolean; readonly tokenBytes: number; readonly greeting: MessageSign | null },
): Draft[] {
  const some = Math.max(1, Math.floor(bytesAtOnce / (tokenBytes + 20)))
  const user: Piece[] = declared ? [...query(userNames), ...userHeaders.map(headerOfUser)] : []
  const drafts = (sets: readonly (readonly Piece[])[], after: Draft['after'] = 'open') =>
    sets.map((pieces): Draft => ({ pieces: [...pieces, ...user], after }))
  if (where === 'header') {
    const authorization = ['Bearer {jwt}', '{jwt}', 'Token {jwt}', 'JWT {jwt}', 'token={jwt}'].map(
      (template) => [header('Authorization', template)],
    )
    const raw = chunk(tokenHeaders, some).map((names) => names.map((name) => header(name, '{jwt}')))
    const bearer = chunk(tokenHeaders, some).map((names) => names.map((name) => header(name, 'Bearer {jwt}')))
    return drafts([...authorization, ...raw, ...bearer])
  }
  if (where === 'subprotocol') {
    const users: Piece[] = declared
      ? ['user', 'userid', 'uid', 'as'].map((name) => protocol(`${name}.{userId}`))
      : []
    const prefixed = [subprotocolPrefixes, capitalPrefixes]
      .flatMap((prefixes) => chunk(prefixes, some))
      .map((names) => [...users, ...names.map((name) => protocol(`${name}{jwt}`))])
    const pairs = subprotocolPairs.map((name) => [protocol(name), protocol('{jwt}')])
    return drafts([...prefixed, [protocol('{jwt}')], ...pairs])
  }
  if (where === 'cookie')
    return drafts(
      chunk(cookieNames, some).map((names) =>
        names.map((name): Piece => ({ in: 'cookie', name, template: '{jwt}' })),
      ),
    )
  if (where === 'query')
    return drafts(
      chunk(tokenNames, some).map((names) =>
        names.map((name): Piece => ({ in: 'query', name, template: '{jwt}' })),
      ),
    )
  const cues = greeting === null ? (['open'] as const) : ([greeting, 'open'] as const)
  return cues.flatMap((after) => [
    ...drafts(messagesOf(declared, tokenBytes), after),
    ...drafts(
      texts.map((template) => [{ in: 'text', template }]),
      after,
    ),
  ])
}

/** The draft with a message after its token, in each of the forms in which services ask for a userId. */
export function addHello(draft: Draft): Draft[] {
  const inside = ['userId', 'user_id', 'uid', 'id']
  const users = [
    ...['userId', 'user_id', 'uid', 'as', 'username'].map((name) => [name]),
    ...['user', 'data', 'payload', 'params'].flatMap((name) => inside.map((field) => [name, field])),
  ].map((path): Piece => ({ in: 'hello', path, template: '{userId}' }))
  return hellos.map((kind): Draft => {
    const named = kindFields.map((field): Piece => ({ in: 'hello', path: [field], template: kind }))
    return { ...draft, pieces: [...draft.pieces, ...named, ...users] }
  })
}

function messagesOf(declared: boolean, tokenBytes: number): Piece[][] {
  const isLong = tokenBytes > 1500
  const tokens = isLong ? fieldTokens.slice(0, 3) : fieldTokens
  const users = declared ? fieldUsers : []
  const inner = containers.flatMap((name) => [
    ...tokens.slice(0, isLong ? 1 : 3).map((field) => fieldAt([name, field], '{jwt}')),
    ...users.slice(0, 5).map((field) => fieldAt([name, field], '{userId}')),
  ])
  const everything = [
    ...tokens.map((name) => fieldAt([name], '{jwt}')),
    ...users.map((name) => fieldAt([name], '{userId}')),
    ...inner,
  ]
  return [
    ...kinds.map((kind) => [
      ...kindFields.map((name) => fieldAt([name], kind)),
      fieldAt(['jsonrpc'], '2.0'),
      fieldAt(['id'], '1'),
      ...everything.filter(({ path }) => path[0] !== 'id'),
    ]),
    // Some look at one field only, whatever else there is; strict ones refuse a message that has others.
    ...['auth', 'authenticate'].flatMap((kind) => [
      [fieldAt(['type'], kind), fieldAt(['token'], '{jwt}')],
      [fieldAt(['event'], kind), fieldAt(['data', 'token'], '{jwt}')],
    ]),
    [fieldAt(['type'], 'connection_init'), fieldAt(['payload', 'token'], '{jwt}')],
    [
      fieldAt(['type'], 'connection_init'),
      fieldAt(['payload', 'authorization'], 'Bearer {jwt}'),
      fieldAt(['payload', 'Authorization'], 'Bearer {jwt}'),
    ],
    [
      fieldAt(['jsonrpc'], '2.0'),
      fieldAt(['id'], '1'),
      fieldAt(['method'], 'authenticate'),
      fieldAt(['params', 'token'], '{jwt}'),
    ],
    [fieldAt(['id'], '1'), fieldAt(['connect', 'token'], '{jwt}')],
    [fieldAt(['token'], '{jwt}')],
  ]
}

function fieldAt(path: readonly string[], template: string) {
  return { in: 'field', path, template } as const
}

function header(name: string, template: string): Piece {
  return { in: 'header', name, template }
}

function headerOfUser(name: string): Piece {
  return header(name, '{userId}')
}

function protocol(template: string): Piece {
  return { in: 'subprotocol', template }
}

function query(names: readonly string[]): Piece[] {
  return names.map((name) => ({ in: 'query', name, template: '{userId}' }))
}

function chunk(names: readonly string[], size: number): string[][] {
  return names.length === 0 ? [] : [names.slice(0, size), ...chunk(names.slice(size), size)]
}
