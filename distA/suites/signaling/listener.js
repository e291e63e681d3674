import { createServer } from 'node:http';
export async function startListener({ publicJwk, certificate, alg }) {
    const asked = [];
    const server = createServer((request, response) => {
        asked.push(request.url ?? '');
        const isCertificate = request.url === '/stranger.pem';
        const keySet = { keys: [{ ...publicJwk, alg, use: 'sig' }] };
        response.setHeader('content-type', isCertificate ? 'application/x-pem-file' : 'application/json');
        response.end(isCertificate ? certificate : JSON.stringify(keySet));
    });
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    const base = `http://127.0.0.1:${server.address().port}`;
    return {
        jwksUrl: `${base}/jwks.json`,
        certificateUrl: `${base}/stranger.pem`,
        asked: () => asked,
        async [Symbol.asyncDispose]() {
            const closed = new Promise((resolve) => server.close(resolve));
            server.closeAllConnections();
            await closed;
        },
    };
}
