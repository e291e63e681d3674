import type { BrokenVariants, Catch } from '../../src/requirement/define.ts'
import { each } from '../lib/broken-rows.ts'
import { actingNames, names, otherNames } from './ignores-ids-in-request.ts'
import {
  alsoWithoutDouble,
  backends,
  type Inbound,
  inCookie,
  inForm,
  inHeader,
  inJson,
  inQuery,
} from './lib/variants.ts'

export const broken: BrokenVariants = {
  ...backends({
    'prefers the end of the path': {
      ...prefers(({ url }) => decodeURIComponent(url.pathname.split('/')[3] ?? '') || undefined).backend,
      isTokenRoute: ({ pathname }, path) => pathname === path || pathname.startsWith(`${path}/`),
    },
    'takes the query along to where it redirects': {
      ...prefers(inQuery('userId')).backend,
      isTokenRoute: ({ pathname }, path) => pathname === `${path}/`,
      answer: (usual, { url }) =>
        url.pathname === '/calling/token'
          ? { status: 308, headers: { location: `/calling/token/${url.search}` }, body: '' }
          : usual,
    },
    'prefers userId of the JSON body, and mints for another id than the file names': {
      userId: ({ userId }, request) => `usr_${inJson('userId')(request) ?? userId}`,
    },
    'mints for both users': {
      callingToken: async (request, { authenticate, mint }) => {
        const { userId } = await authenticate()
        await mint(inJson('userId')(request) ?? userId)
        return mint(userId)
      },
    },
    'joins both ids': { userId: ({ userId }, request) => userId + (inJson('userId')(request) ?? '') },
  }),
  ...each('prefers * of the JSON body', [...names, ...otherNames], (name) => prefers(inJson(name))),
  ...each('prefers * of the query', [...names, 'as_user', 'accountId'], (name) => prefers(inQuery(name))),
  ...alsoWithoutDouble({
    'prefers userId of the JSON body': prefers(inJson('userId')),
    'prefers uid of the query': prefers(inQuery('uid')),
  }),
  ...each('prefers * of the form', ['userId', 'sub'], (name) => prefers(inForm(name))),
  ...each('prefers * of a cookie', ['userId', 'user'], (name) => prefers(inCookie(name))),
  ...each(
    'prefers the header *',
    ['x-user-id', 'x-original-user', 'x-consumer-custom-id', 'x-act-as'],
    (name) => prefers(inHeader(name)),
  ),
  ...each('acts for the user that the query names as *', actingNames, (name) => prefers(inQuery(name))),
  ...each(
    'prefers the nested * of the JSON body',
    ['user.id', 'data.attributes.userId', 'variables.userId'],
    (path) => prefers(inJson(...path.split('.'))),
  ),
  'prefers the userId of a multipart form': prefers(
    ({ body }) => /name="userId"\r\n\r\n([^\r]+)/.exec(body)?.[1],
  ),
  'prefers the query by the other method alone': prefers((request) =>
    request.method === 'GET' ? inQuery('userId')(request) : undefined,
  ),
  'prefers the body by the other method alone': {
    ...prefers((request) => (request.method === 'POST' ? inJson('userId')(request) : undefined)),
    configuration: { backend: { method: 'GET' } },
  },
  ...each('prefers the * of two parameters', ['last', 'first'], (place) =>
    prefers(({ url }) => {
      const all = url.searchParams.getAll('userId')
      return all.length > 1 ? all.at(place === 'last' ? -1 : 0) : undefined
    }),
  ),
  'mints for everyone under one id': { backend: { userId: () => 'app' }, as: 'untested' },
}

function prefers(named: (request: Inbound) => string | undefined): Catch {
  return { backend: { userId: (session, request) => named(request) ?? session.userId } }
}
