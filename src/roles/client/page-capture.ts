import type { BrowserContext, Frame, Page } from '@playwright/test'
import type { Tap } from './capture-types.ts'
import type { World } from './client-world.ts'
import { type Kept, noteBlobs, readKept } from './page-scripts.ts'

const longestText = 2_000_000

/**
 * Follows a context from its beginning; what is returned collects everything that its pages hold, say and run. The
 * sources of workers made from blobs are noted when the blob gets its address, since they may be gone soon after.
 */
export async function tapPage(context: BrowserContext, world: World): Promise<() => Promise<Tap[]>> {
  const said: Tap[] = []
  const say = (name: string, text: string) => said.push({ place: 'console', name, text, exchange: '' })
  context.on('console', (message) => say(message.type(), message.text()))
  context.on('weberror', (error) => say('error', String(error.error().stack ?? error.error())))
  await context.exposeBinding('__twotokenBlob', (_source, text: string) => {
    said.push({ place: 'worker script', name: 'blob', text, exchange: '' })
  })
  await context.addInitScript(noteBlobs)

  return async () => {
    const pages = await Promise.all(context.pages().map(tapsOfPage))
    const cookies = (await context.cookies()).map(
      ({ name, value, domain }): Tap => ({
        place: 'cookie',
        name: `${name} of ${domain}`,
        text: `${name}=${value}`,
        exchange: '',
      }),
    )
    return [...said, ...cookies, ...pages.flat(), ...(await sourceMaps(world))].filter(
      ({ text }) => text !== '',
    )
  }
}

async function tapsOfPage(page: Page): Promise<Tap[]> {
  const frames = await Promise.all(page.frames().map(keptBy))
  const workers = page
    .workers()
    .map((worker) => worker.url())
    .filter((url) => url.startsWith('data:'))
    .map((url): Tap => ({ place: 'worker script', name: 'data URL', text: decoded(url), exchange: '' }))
  return [...frames.flat(), ...workers, ...(await scriptsOf(page))]
}

async function keptBy(frame: Frame): Promise<Tap[]> {
  const content = await frame.content().catch(() => '')
  const kept = await frame.evaluate(readKept).catch((): Kept[] => [])
  const name = frame.url().replace(/[?#].*$/s, '')
  return [
    { place: 'page or script', name: `${name} (as it stands)`, text: content, exchange: '' },
    ...kept.map((one): Tap => ({ ...one, text: one.text.slice(0, longestText), exchange: '' })),
  ]
}

/** Scripts that were never loaded from anywhere: what the page makes and runs itself. */
async function scriptsOf(page: Page): Promise<Tap[]> {
  const session = await page
    .context()
    .newCDPSession(page)
    .catch(() => null)
  if (session === null) return []
  const found: { scriptId: string; url: string }[] = []
  session.on('Debugger.scriptParsed', ({ scriptId, url, embedderName }) => {
    if (url === '' || embedderName === '' || !/^https?:/.test(url)) found.push({ scriptId, url })
  })
  const taps: Tap[] = []
  try {
    await session.send('Debugger.enable')
    for (const { scriptId, url } of found) {
      const { scriptSource } = await session.send('Debugger.getScriptSource', { scriptId })
      taps.push({
        place: 'page or script',
        name: url === '' ? 'made at run time' : url,
        text: scriptSource,
        exchange: '',
      })
    }
  } catch {
    // The page went away meanwhile; what it loaded and kept is known.
  } finally {
    await session.detach().catch(() => undefined)
  }
  return taps
}

/** The maps that the loaded scripts name, on the customer's own hosts: a page does not load them by itself. */
async function sourceMaps({ web, hosts, passing }: World): Promise<Tap[]> {
  const maps = new Map<string, URL>()
  for (const { sourceMap } of web.loaded())
    if (sourceMap !== null && (sourceMap.protocol === 'data:' || hosts.kindOf(sourceMap) === 'own'))
      maps.set(sourceMap.href, sourceMap)
  const read = async (url: URL): Promise<Tap> => {
    const text = url.protocol === 'data:' ? decoded(url.href) : ((await passing.text(url)) ?? '')
    return { place: 'source map', name: url.protocol === 'data:' ? 'inline' : url.href, text, exchange: '' }
  }
  return await Promise.all([...maps.values()].map(read))
}

function decoded(dataUrl: string): string {
  const [, kind = '', content = ''] = /^data:([^,]*),(.*)$/s.exec(dataUrl) ?? []
  return /;base64$/i.test(kind) ? Buffer.from(content, 'base64').toString('utf8') : percentDecoded(content)
}

function percentDecoded(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (run) =>
    Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'),
  )
}
