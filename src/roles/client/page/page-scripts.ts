import type { Place } from '../types.ts'

// These run in the page under test: each is sent there as text, so it can use nothing from outside of itself.

/** Text that a page stores, as it is read in the page. */
export interface StoredText {
  readonly place: Extract<Place, 'localStorage' | 'sessionStorage' | 'IndexedDB' | 'cache' | 'cookie'>
  readonly name: string
  readonly text: string
}

export function reportBlobs(): void {
  const scope = globalThis as unknown as { __twotokenBlob?: (text: string) => void }
  const note = scope.__twotokenBlob
  const create = URL.createObjectURL.bind(URL)
  URL.createObjectURL = (object) => {
    if (object instanceof Blob && object.size < 2_000_000) object.text().then(note, () => undefined)
    return create(object)
  }
}

/** Shows the page or hides it, as far as its scripts can tell: no browser offers this to its driver. */
export function showPage(isVisible: boolean): void {
  const states = { visibilityState: isVisible ? 'visible' : 'hidden', hidden: !isVisible }
  for (const [name, value] of Object.entries(states))
    Object.defineProperty(document, name, { configurable: true, value })
  document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
}

export async function readStorage(): Promise<StoredText[]> {
  const kept: StoredText[] = []
  const all = <T>(request: IDBRequest<T>) =>
    new Promise<T | null>((resolve) => {
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => resolve(null)
    })
  const attempt = async (run: () => Promise<void> | void) => {
    try {
      await run()
    } catch {
      // A frame without an origin has no storage.
    }
  }
  for (const [place, storage] of [
    ['localStorage', () => globalThis.localStorage],
    ['sessionStorage', () => globalThis.sessionStorage],
  ] as const)
    await attempt(() => {
      for (const [name, text] of Object.entries(storage()))
        kept.push({ place, name, text: `${name}=${text}` })
    })
  await attempt(async () => {
    for (const { name = '' } of await globalThis.indexedDB.databases()) {
      const database = await all(globalThis.indexedDB.open(name))
      if (database === null) continue
      for (const store of database.objectStoreNames) {
        const opened = database.transaction(store).objectStore(store)
        const [keys, values] = await Promise.all([all(opened.getAllKeys()), all(opened.getAll())])
        kept.push({ place: 'IndexedDB', name: `${name}/${store}`, text: JSON.stringify([keys, values]) })
      }
      database.close()
    }
  })
  await attempt(async () => {
    for (const name of await globalThis.caches.keys()) {
      const cache = await globalThis.caches.open(name)
      for (const request of await cache.keys()) {
        const response = await cache.match(request)
        kept.push({ place: 'cache', name, text: `${request.url}\n${(await response?.text()) ?? ''}` })
      }
    }
  })
  return kept
}
