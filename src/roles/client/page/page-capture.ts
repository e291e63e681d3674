import type { BrowserContext, Frame, Page } from '@playwright/test'
import type { ClientContext } from '../client-context.ts'
import type { CapturedText, Place } from '../types.ts'
import { readStorage, reportBlobs, type StoredText } from './page-scripts.ts'

const longestText = 2_000_000

/** Follows a context; the result collects what its pages store, print and run. Blobs are noted at once: they may go soon. */
export async function startPageCapture(
  browserContext: BrowserContext,
  context: ClientContext,
): Promise<() => Promise<CapturedText[]>> {
  const captured: CapturedText[] = []
  const addConsole = (name: string, text: string) => captured.push(stored('console', name, text))
  browserContext.on('console', (message) => addConsole(message.type(), message.text()))
  browserContext.on('weberror', (error) => addConsole('error', String(error.error().stack ?? error.error())))
  await browserContext.exposeBinding('__twotokenBlob', (_source, text: string) => {
    captured.push(stored('worker script', 'blob', text))
  })
  await browserContext.addInitScript(reportBlobs)

  return async () => {
    const pages = await Promise.all(browserContext.pages().map(capturePage))
    const cookies = (await browserContext.cookies()).map(({ name, value, domain }) =>
      stored('cookie', `${name} of ${domain}`, `${name}=${value}`),
    )
    return [...captured, ...cookies, ...pages.flat(), ...(await loadSourceMaps(context))].filter(
      ({ text }) => text !== '',
    )
  }
}

/** A text that is no traffic. */
function stored(place: Place, name: string, text: string): CapturedText {
  return { place, name, text, exchange: '' }
}

async function capturePage(page: Page): Promise<CapturedText[]> {
  const frames = await Promise.all(page.frames().map(captureFrame))
  const workers = page
    .workers()
    .map((worker) => worker.url())
    .filter((url) => url.startsWith('data:'))
    .map((url) => stored('worker script', 'data URL', decodeDataUrl(url)))
  return [...frames.flat(), ...workers, ...(await captureRunTimeScripts(page))]
}

async function captureFrame(frame: Frame): Promise<CapturedText[]> {
  const content = await frame.content().catch(() => '')
  const kept = await frame.evaluate(readStorage).catch((): StoredText[] => [])
  const name = frame.url().replace(/[?#].*$/s, '')
  return [
    stored('page or script', `${name} (as it stands)`, content),
    ...kept.map((one) => stored(one.place, one.name, one.text.slice(0, longestText))),
  ]
}

/** Scripts that were never loaded from anywhere: what the page makes and runs itself. */
async function captureRunTimeScripts(page: Page): Promise<CapturedText[]> {
  const session = await page
    .context()
    .newCDPSession(page)
    .catch(() => null)
  if (session === null) return []
  const found: { scriptId: string; url: string }[] = []
  session.on('Debugger.scriptParsed', ({ scriptId, url, embedderName }) => {
    if (url === '' || embedderName === '' || !/^https?:/.test(url)) found.push({ scriptId, url })
  })
  const captured: CapturedText[] = []
  try {
    await session.send('Debugger.enable')
    for (const { scriptId, url } of found) {
      const { scriptSource } = await session.send('Debugger.getScriptSource', { scriptId })
      captured.push(stored('page or script', url === '' ? 'made at run time' : url, scriptSource))
    }
  } catch {
    // The page went away meanwhile; what it loaded and kept is known.
  } finally {
    await session.detach().catch(() => undefined)
  }
  return captured
}

/** The maps that the loaded scripts name, on the customer's own hosts: a page does not load them by itself. */
async function loadSourceMaps({ otherTraffic, hosts, forwardProxy }: ClientContext): Promise<CapturedText[]> {
  const maps = new Map<string, URL>()
  for (const { sourceMap } of otherTraffic.loaded())
    if (sourceMap !== null && (sourceMap.protocol === 'data:' || hosts.kindOf(sourceMap) === 'own'))
      maps.set(sourceMap.href, sourceMap)
  const read = async (url: URL): Promise<CapturedText> =>
    url.protocol === 'data:'
      ? stored('source map', 'inline', decodeDataUrl(url.href))
      : stored('source map', url.href, (await forwardProxy.fetchText(url)) ?? '')
  return await Promise.all([...maps.values()].map(read))
}

function decodeDataUrl(dataUrl: string): string {
  const [, kind = '', content = ''] = /^data:([^,]*),(.*)$/s.exec(dataUrl) ?? []
  return /;base64$/i.test(kind) ? Buffer.from(content, 'base64').toString('utf8') : decodePercent(content)
}

function decodePercent(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (run) =>
    Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'),
  )
}
