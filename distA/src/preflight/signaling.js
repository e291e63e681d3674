import { connect, isIP } from 'node:net';
import { connect as connectTls, createSecureContext, getCACertificates } from 'node:tls';
import { failureOf } from '../http/failure.js';
import { noAnswerProblem } from './problem.js';
/** Whether a connection comes about, with TLS where the address says so; what is then spoken is judged. */
export async function signalingProblems({ url }, { limits, ca }) {
    const deadlineMs = limits.requestSeconds * 1000;
    const failure = await failureOfConnection(new URL(url), deadlineMs, ca);
    if (failure === null)
        return [];
    const told = failureOf(failure, deadlineMs, limits.bodyBytes);
    return [noAnswerProblem('signaling', 'signaling.url', url, { failure: told.kind, message: told.message })];
}
function failureOfConnection(url, deadlineMs, ca) {
    const secure = url.protocol === 'wss:';
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const port = Number(url.port) || (secure ? 443 : 80);
    return new Promise((resolve) => {
        const socket = secure
            ? connectTls({
                host,
                port,
                ...(isIP(host) === 0 ? { servername: host } : {}),
                ...(ca === undefined
                    ? {}
                    : { secureContext: createSecureContext({ ca: [...getCACertificates(), ...ca] }) }),
            })
            : connect({ host, port });
        const deadline = setTimeout(() => socket.destroy(new DOMException('late', 'TimeoutError')), deadlineMs);
        let failure = null;
        socket.once(secure ? 'secureConnect' : 'connect', () => socket.destroy());
        socket.once('error', (error) => {
            failure = error;
        });
        socket.once('end', () => {
            failure ??= Object.assign(new Error('ended'), { code: 'ECONNRESET' });
            socket.destroy();
        });
        socket.once('close', () => {
            clearTimeout(deadline);
            resolve(failure);
        });
    });
}
