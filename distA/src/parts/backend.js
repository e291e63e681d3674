import { ControlLost } from '../check/judge.js';
import { isRecord, readToken, tokensIn } from '../tokens/decode.js';
import { issuedToken } from './mint.js';
export function createBackend({ backend, alice, http, redactor, turns, onSuccess }) {
    const request = (change = {}) => {
        const { method = backend.method, session = alice.token, body } = change;
        const authorization = change.authorization ?? (session === null ? null : `Bearer ${session}`);
        const url = new URL(backend.url);
        if (change.pathSuffix !== undefined)
            url.pathname += change.pathSuffix;
        for (const [name, value] of Object.entries(change.query ?? {}))
            url.searchParams.append(name, value);
        return turns.shared(async () => {
            const reply = await http.send({
                to: 'backend',
                method,
                url: url.href,
                headers: [
                    ...(authorization === null ? [] : [['authorization', authorization]]),
                    ['accept', 'application/json'],
                    ...(body === undefined ? [] : [['content-type', body.contentType]]),
                    ...(change.headers ?? []),
                ],
                ...(body === undefined ? {} : { body: body.text }),
                ...(change.deadlineMs === undefined ? {} : { deadlineMs: change.deadlineMs }),
                followRedirects: change.followRedirects ?? false,
            });
            if (reply.kind === 'answer' && reply.status >= 200 && reply.status <= 299)
                onSuccess();
            if (reply.kind === 'answer')
                for (const jwt of tokensIn(reply.body))
                    redactor.register('calling-jwt', jwt);
            return reply;
        });
    };
    const tokenOf = (reply) => {
        if (reply.kind === 'no-answer' || reply.status < 200 || reply.status > 299)
            return null;
        const token = isRecord(reply.json) ? reply.json['token'] : undefined;
        return typeof token === 'string' && token !== '' ? token : null;
    };
    return {
        url: backend.url,
        method: backend.method,
        alice,
        request,
        tokenOf,
        async token(session = alice) {
            const reply = await request({ session: session.token, followRedirects: true });
            if (reply.kind === 'no-answer')
                throw new ControlLost(`the backend ${reply.message}, asked with a valid session`, [reply.exchange]);
            const jwt = tokenOf(reply);
            if (jwt === null)
                throw new ControlLost(`the backend answered ${reply.status} without a token to a valid session`, [
                    reply.exchange,
                ]);
            return { jwt, userId: session.userId, answer: reply, exchange: reply.exchange };
        },
        issuedBy(reply) {
            if (reply.kind === 'no-answer')
                return null;
            const opaque = tokenOf(reply);
            return (issuedToken(reply) ??
                (opaque !== null && readToken(opaque) === null && !reply.sent.includes(opaque) ? opaque : null));
        },
    };
}
