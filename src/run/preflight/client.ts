import { TwotokenError } from '../../base/errors.ts'
import type { ClientConfiguration } from '../../roles/client/client-configuration.ts'
import { loadPageDriver } from '../../roles/client/page/page-driver.ts'
import type { Probing } from './probe.ts'
import { noAnswerProblem, type Problem } from './problem.ts'

/** Checks that the page answers and its driver can be loaded; programs and devices are asked by their first check. */
export async function findClientProblems(
  { url, driver }: ClientConfiguration,
  { http }: Pick<Probing, 'http'>,
): Promise<Problem[]> {
  if (url === undefined || driver === undefined) return []
  const loaded = await loadPageDriver(driver).catch((error: unknown) => {
    if (error instanceof TwotokenError) return error
    throw error
  })
  if (loaded instanceof TwotokenError)
    return [{ part: 'client', kind: 'driver', message: loaded.message, fatal: true }]
  const headers = [['accept', 'text/html,*/*;q=0.8'] as const]
  const reply = await http.send({ to: 'client', method: 'GET', url, headers, followRedirects: true })
  if (reply.kind === 'no-answer')
    return reply.failure === 'too-large' || reply.failure === 'redirects'
      ? []
      : [noAnswerProblem('client', url, reply)]
  if (reply.status < 400) return []
  const message = `${url} returned ${reply.status}; expected the page under test: correct client.url, or check why its server rejects the request`
  // A driver that opens the page itself may begin somewhere else.
  return [{ part: 'client', kind: 'peer', message, fatal: loaded.open === undefined }]
}
