import { expect, test } from 'vitest'
import { createBroker } from './broker.ts'

test('a link of the broker to another origin is not followed', async () => {
  const asked: string[] = []
  const broker = createBroker({
    url: 'https://broker.example.com/',
    access: { token: 'a broker token' },
    http: {
      async send({ url }: { readonly url: string }) {
        asked.push(url)
        const json = {
          _links: { 'pb:provider-pacts-for-verification': { href: 'http://169.254.169.254/{provider}' } },
        }
        return {
          kind: 'answer',
          status: 200,
          headers: new Headers(),
          body: JSON.stringify(json),
          json,
        } as never
      },
    } as never,
  })
  const fetched = broker.pacts({ provider: 'backend', selectors: [], enablePending: false })
  await expect(fetched).rejects.toMatchObject({
    code: 'precondition',
    message: expect.stringContaining('links to http://169.254.169.254; expected links of its own'),
  })
  expect(asked).toEqual(['https://broker.example.com/'])
})
