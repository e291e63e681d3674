/** What has not got there by then goes nowhere, and is not waited for again. */
const patienceMs = 5000;
/**
 * Follows what a page sends and hears. What is returned waits until page and doubles know of each other what each has
 * begun, sent and closed, so that a clock can go on without running ahead of the network.
 */
export async function followNetwork(page, world) {
    const { bell, backend, signaling } = world;
    const sockets = new Map();
    const requests = new Set();
    const writtenOff = new Set();
    const session = await page.context().newCDPSession(page);
    const change = (id, patch) => {
        Object.assign(sockets.get(id) ?? {}, patch);
        bell.ring();
    };
    session.on('Network.webSocketCreated', ({ requestId }) => sockets.set(requestId, { key: null, isAnswered: false, isClosed: false, framesHeard: 0 }));
    session.on('Network.webSocketWillSendHandshakeRequest', ({ requestId, request }) => change(requestId, { key: request.headers['Sec-WebSocket-Key'] ?? null }));
    session.on('Network.webSocketHandshakeResponseReceived', ({ requestId }) => change(requestId, { isAnswered: true }));
    session.on('Network.webSocketFrameReceived', ({ requestId }) => change(requestId, { framesHeard: (sockets.get(requestId)?.framesHeard ?? 0) + 1 }));
    session.on('Network.webSocketClosed', ({ requestId }) => change(requestId, { isClosed: true }));
    session.on('Network.requestWillBeSent', ({ requestId, type }) => {
        if (type === 'Fetch' || type === 'XHR')
            requests.add(requestId);
    });
    const settle = ({ requestId }) => {
        requests.delete(requestId);
        bell.ring();
    };
    session.on('Network.loadingFinished', settle);
    session.on('Network.loadingFailed', settle);
    await session.send('Network.enable');
    const underWay = () => {
        const wires = new Map(signaling.wires().map((wire) => [wire.key, wire]));
        const late = [...sockets]
            .filter(([, { key, isAnswered, isClosed, framesHeard }]) => {
            if (isClosed)
                return false;
            const wire = key === null ? undefined : wires.get(key);
            if (wire === undefined)
                return !isAnswered;
            return wire.isOver || framesHeard < wire.framesSaid;
        })
            .map(([id]) => id);
        // A call that the double has not answered has arrived.
        const held = backend.calls().filter(({ status, givenUpAt }) => status === null && givenUpAt === null);
        const asked = requests.size > held.length ? [...requests] : [];
        return [...late, ...asked].filter((id) => !writtenOff.has(id));
    };
    return async () => {
        if ((await bell.wait(() => underWay().length === 0, patienceMs)) !== null)
            return;
        for (const id of underWay())
            writtenOff.add(id);
    };
}
