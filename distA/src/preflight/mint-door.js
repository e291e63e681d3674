import { createServer } from 'node:net';
/** Holds the address, or says why the double will not be able to. */
export function openMintDoor({ host, port }) {
    const address = `${host}:${port}`;
    return new Promise((resolve) => {
        let count = 0;
        const server = createServer((socket) => {
            count += 1;
            socket.destroy();
        });
        server.once('error', ({ code }) => {
            const why = code === 'EADDRINUSE' ? 'is already taken' : `cannot be listened on (${code})`;
            const message = `${address} ${why}; expected it free for the suite's mint double: free it, or change backend.fakeMint.listen and the address that the backend mints at`;
            resolve({ part: 'backend', kind: 'port', message, fatal: true });
        });
        server.listen(port, host, () => resolve({
            knocks: () => count,
            [Symbol.asyncDispose]: () => new Promise((done) => server.close(() => done())),
        }));
    });
}
