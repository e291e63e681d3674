import { randomUUID } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { rootCertificates } from 'node:tls'
import type { DemoUser } from '../../../fixtures/backend/login.ts'
import { MintFailure, type MintReply } from '../../../fixtures/backend/mint-client.ts'
import { referenceBackendPolicy } from '../../../fixtures/backend/policy.ts'
import { startBackend } from '../../../fixtures/backend/server.ts'
import { reservePort } from '../../../fixtures/reserve-port.ts'
import { parsedJson } from '../../base/http/incoming.ts'
import { openTempFolder } from '../../base/temp-folder.ts'
import { createServerCertificate, type TestableCertificate } from '../../base/tls/certificates.ts'
import { readToken } from '../../base/tokens/decode.ts'
import { locateToken } from '../../base/tokens/locate-token.ts'
import type { Configuration } from '../../configuration/configuration.ts'

/** It mints for the configured users, at the mint or the double that the configuration names. */
export async function replaceBackend(
  configuration: Configuration,
  parts: AsyncDisposableStack,
): Promise<{ configuration: Configuration; doubleCertificate: TestableCertificate | undefined }> {
  const { backend, limits, mint, tls, token } = configuration
  const { sessions, fakeMint, sessionJwks } = backend ?? {}
  const sessionForm =
    readToken(sessions?.alice?.token ?? '') === null
      ? 'opaque'
      : sessionJwks === undefined
        ? 'signed'
        : 'signed-in-public'
  const port = fakeMint === undefined ? 0 : parts.use(await reservePort()).port
  const certificate = fakeMint?.tls === true ? createServerCertificate({ names: ['127.0.0.1'] }) : undefined
  const trusted = tls.ca === undefined ? [] : [...rootCertificates, await readFile(tls.ca, 'utf8')]
  const mintCa = certificate?.ca ?? (trusted.length === 0 ? undefined : trusted.join('\n'))
  const started = parts.use(
    await startBackend({
      mintUrl:
        fakeMint === undefined ? (mint?.url ?? '') : `${fakeMint.tls ? 'https' : 'http'}://127.0.0.1:${port}`,
      apiKey: fakeMint?.apiKey ?? mint?.apiKey ?? '',
      users: [userOf('alice', sessions?.alice?.userId), userOf('bob', sessions?.bob?.userId)],
      mintCa,
      policy: {
        ...referenceBackendPolicy,
        sessionForm,
        // This machine may be busy, but the backend has to answer in time where the mint does not.
        mintDeadlineMs: limits.backendAnswerSeconds * 500,
        readToken: (reply) => tokenIn(reply, token.field),
      },
    }),
  )
  const given = Object.entries(started.sessions).filter(([name]) => name in (sessions ?? {}))
  return {
    configuration: {
      ...configuration,
      backend: {
        url: started.tokenUrl,
        method: backend?.method ?? 'POST',
        sessions: Object.fromEntries(given),
        sessionJwks: started.sessionJwks === null ? undefined : await writeKeys(started.sessionJwks, parts),
        fakeMint: fakeMint === undefined ? undefined : { ...fakeMint, host: '127.0.0.1', port },
      },
    },
    doubleCertificate: certificate,
  }
}

/** No check signs in with a password: the sessions of the start are enough. */
function userOf(name: string, userId = `u-${name}`): DemoUser {
  return { name, password: randomUUID(), userId, displayName: name }
}

async function writeKeys(keys: object, parts: AsyncDisposableStack): Promise<string> {
  const { path } = parts.use(await openTempFolder())
  const file = join(path, 'session-jwks.json')
  await writeFile(file, JSON.stringify(keys))
  return file
}

function tokenIn(reply: MintReply, field: string): string {
  const { status, body } = reply
  const located = locateToken({ text: body, json: parsedJson(body) }, field)
  if (status < 200 || status > 299 || located.kind !== 'found')
    throw new MintFailure(`the mint answered ${status}`, { reply })
  return located.token
}
