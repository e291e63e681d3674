import type { Configuration } from '../configuration/configuration.ts'
import { openSession, type Session, type SessionOptions } from '../requirement/session.ts'

/** Opens a session without the mint double: its address belongs to the process that judges the backend. */
export async function openClientSession(
  { backend, ...configuration }: Configuration,
  options: SessionOptions,
): Promise<Session> {
  if (backend === undefined) return await openSession(configuration, options)
  const { fakeMint: _, ...others } = backend
  return await openSession({ ...configuration, backend: others }, options)
}
