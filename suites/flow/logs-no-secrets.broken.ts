import type { BrokenVariants } from '../../src/requirement/define.ts'

export const broken: BrokenVariants = {
  'the mint logs the Authorization header': {
    mint: {
      logLine: ({ method, headers }, { status }) => `${method} ${status} ${JSON.stringify(headers)}`,
    },
  },
  'the mint logs the token that it issues': {
    mint: {
      logLine: ({ method, headers }, { status, body }) =>
        `${method} ${status} ${headers['user-agent']} ${body}`,
    },
    as: 'warn',
  },
  'the backend logs the session in base64': {
    backend: {
      logLine: ({ method, headers }, { status }) =>
        `${method} ${status} ${headers['user-agent']} ${Buffer.from(headers.authorization ?? '').toString('base64')}`,
    },
  },
  'the backend logs its key when minting fails': {
    backend: {
      logLine: ({ method, headers }, { status }, apiKey) =>
        `${method} ${status} ${headers['user-agent']}${status === 502 ? ` config={"headers":{"Authorization":"Bearer ${apiKey}"}}` : ''}`,
    },
  },
  'the backend logs sessions that it rejects': {
    backend: {
      logLine: ({ method, headers }, { status }) =>
        `${method} ${status} ${headers['user-agent']}${status === 401 ? ` unknown session ${headers.authorization}` : ''}`,
    },
  },
  'the backend prints its key at the start': {
    backend: { startLine: (apiKey) => `starting with MINT_API_KEY=${apiKey}` },
    as: 'warn',
  },
  'signaling logs the credential': {
    signaling: { logLine: ({ url }, { jwt, userId }) => `GET ${url} for ${userId} with ${jwt}` },
    as: 'warn',
  },
}
