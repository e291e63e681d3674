export function noteBlobs() {
    const scope = globalThis;
    const note = scope.__twotokenBlob;
    const create = URL.createObjectURL.bind(URL);
    URL.createObjectURL = (object) => {
        if (object instanceof Blob && object.size < 2_000_000)
            object.text().then(note, () => undefined);
        return create(object);
    };
}
export async function readKept() {
    const scope = globalThis;
    const kept = [];
    const all = (request) => new Promise((resolve) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => resolve(null);
    });
    const attempt = async (run) => {
        try {
            await run();
        }
        catch {
            // A frame without an origin has no storage.
        }
    };
    for (const [place, storage] of [
        ['localStorage', () => scope.localStorage],
        ['sessionStorage', () => scope.sessionStorage],
    ])
        await attempt(() => {
            for (const [name, text] of Object.entries(storage()))
                kept.push({ place, name, text: `${name}=${text}` });
        });
    await attempt(async () => {
        for (const { name = '' } of await scope.indexedDB.databases()) {
            const database = await all(scope.indexedDB.open(name));
            if (database === null)
                continue;
            for (const store of database.objectStoreNames) {
                const opened = database.transaction(store).objectStore(store);
                const [keys, values] = await Promise.all([all(opened.getAllKeys()), all(opened.getAll())]);
                kept.push({ place: 'IndexedDB', name: `${name}/${store}`, text: JSON.stringify([keys, values]) });
            }
            database.close();
        }
    });
    await attempt(async () => {
        for (const name of await scope.caches.keys()) {
            const cache = await scope.caches.open(name);
            for (const request of await cache.keys()) {
                const response = await cache.match(request);
                kept.push({ place: 'cache', name, text: `${request.url}\n${(await response?.text()) ?? ''}` });
            }
        }
    });
    return kept;
}
