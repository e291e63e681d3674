import { createServer } from 'node:http'
import { Provider } from 'oidc-provider'

// The login of the shop and of another app: an OpenID provider that signs in the user whom a client names.

const { LOGIN_URL, SESSION_SECRET, ACCESS_TOKENS } = process.env
const api = 'https://shop.example/api'

const client = (id) => ({
  client_id: id,
  client_secret: SESSION_SECRET,
  token_endpoint_auth_method: 'client_secret_post',
  grant_types: ['authorization_code', 'refresh_token'],
  redirect_uris: ['https://shop.example/callback'],
})

const provider = new Provider(LOGIN_URL, {
  // The shop's API is named as the client that it belongs to.
  clients: [client(api), client('short'), client('news')],
  cookies: { keys: [SESSION_SECRET] },
  scopes: ['openid', 'offline_access'],
  findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
  interactions: { url: (_, { uid }) => `/interaction/${uid}` },
  features: {
    devInteractions: { enabled: false },
    introspection: { enabled: true },
    revocation: { enabled: true },
    resourceIndicators: {
      enabled: true,
      getResourceServerInfo: (_, resource) => ({
        scope: 'calling',
        audience: resource,
        accessTokenFormat: ACCESS_TOKENS,
        jwt: { sign: { alg: 'RS256' } },
      }),
      useGrantedResource: () => true,
    },
  },
  ttl: {
    AccessToken: (_, __, { clientId }) => (clientId === 'short' ? 1 : 3600),
    IdToken: 3600,
    RefreshToken: 86_400,
    Grant: 86_400,
    Session: 86_400,
    Interaction: 600,
  },
})

async function interact(request, response) {
  const { prompt, params, session } = await provider.interactionDetails(request, response)
  if (prompt.name === 'login')
    return provider.interactionFinished(request, response, { login: { accountId: params.login_hint } })
  const grant = new provider.Grant({ accountId: session.accountId, clientId: params.client_id })
  grant.addOIDCScope('openid offline_access')
  grant.addResourceScope(params.resource, 'calling')
  const consent = { grantId: await grant.save() }
  return provider.interactionFinished(request, response, { consent }, { mergeWithLastSubmission: true })
}

const handle = provider.callback()
createServer((request, response) => {
  if (!request.url.startsWith('/interaction/')) return handle(request, response)
  interact(request, response).catch((error) => response.writeHead(500).end(error.message))
}).listen(Number(new URL(LOGIN_URL).port), '127.0.0.1')
