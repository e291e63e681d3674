import { ControlLost, Untested } from '../check/judge.js';
import { headerOf } from '../http/headers.js';
import { readToken, tokensIn } from '../tokens/decode.js';
import { lifetimeOf } from '../tokens/lifetime.js';
import { locateToken } from '../tokens/locate.js';
import { pathsHolding } from '../tokens/user-claim.js';
import { createMintBudget } from './mint-budget.js';
import { createPatience, retryAfterSeconds } from './patience.js';
/** The path that clause 4.1 fixes, below `{base_url}`. */
export const mintPath = '/api/v1/calling/token';
/** The mint as the suite drives it: a server that holds the API key. */
export function createMint({ mint, token: { field, userIdClaim }, http, redactor, clock, newUser, budget = createMintBudget(null), }) {
    const endpoint = mint.url + mintPath;
    const patience = createPatience(clock);
    const request = (change = {}) => {
        const { method = 'POST', contentType = 'application/json', key = mint.apiKey } = change;
        const authorization = change.authorization ?? (key === null ? null : `Bearer ${key}`);
        const url = new URL(endpoint);
        for (const [name, value] of Object.entries(change.query ?? {}))
            url.searchParams.append(name, value);
        const body = bodyOf(change, newUser);
        const ask = () => http.send({
            to: 'mint',
            method,
            url: url.href,
            headers: [
                ...(authorization === null ? [] : [['authorization', authorization]]),
                ...(body === null ? [] : [['content-type', contentType]]),
                ...(change.headers ?? []),
            ],
            ...(body === null ? {} : { body }),
            followRedirects: change.followRedirects ?? false,
        });
        const send = () => budget.within(ask, hasIssued);
        return change.expectsLimit === true ? send() : patience(send, limitOf);
    };
    const locate = (answer) => {
        const located = locateToken({ text: answer.body, json: answer.json }, field);
        if (located.kind === 'found')
            redactor.register('calling-jwt', located.token);
        for (const jwt of tokensIn(answer.body))
            redactor.register('calling-jwt', jwt);
        return located;
    };
    const token = async (userId, { ttlSeconds } = {}) => {
        const reply = await request({
            userId,
            ...(ttlSeconds === undefined ? {} : { ttlSeconds }),
            followRedirects: true,
        });
        if (reply.kind === 'no-answer')
            throw new ControlLost(`the mint ${reply.message}, asked for an ordinary token`, [reply.exchange]);
        if (reply.status < 200 || reply.status > 299)
            throw new ControlLost(`the mint answered ${reply.status} to an ordinary request`, [reply.exchange]);
        const located = locate(reply);
        if (located.kind === 'ambiguous')
            throw new Untested(`the mint's body holds several tokens (${located.candidates.join(', ')}): say which one with token.field`);
        if (located.kind === 'missing')
            throw new ControlLost(`the mint answered ${reply.status} without a token that could be found`, [
                reply.exchange,
            ]);
        if (reply.sent.includes(located.token))
            throw new ControlLost('the mint only sent back what it had been sent', [reply.exchange]);
        const read = readToken(located.token);
        return {
            jwt: located.token,
            userId,
            at: located.at,
            read,
            lifetime: lifetimeOf(read, reply, clock.wall()),
            askedSeconds: ttlSeconds ?? null,
            sentAt: reply.sentAt,
            receivedAt: reply.receivedAt,
            exchange: reply.exchange,
        };
    };
    const holding = (read, userId) => read.claims === null ? [] : pathsHolding(read.claims, userId, userIdClaim);
    let facts;
    const findFacts = async () => {
        const [first, second] = await Promise.all([token(newUser()), token(newUser())]);
        const shared = (read, userId) => (read === null ? [] : holding(read, userId));
        const ofSecond = shared(second.read, second.userId);
        const { alg } = first.read?.header ?? {};
        return {
            at: first.at,
            format: first.read?.format ?? 'opaque',
            algorithm: typeof alg === 'string' ? alg : null,
            userIdPaths: shared(first.read, first.userId).filter((path) => ofSecond.includes(path)),
        };
    };
    return {
        endpoint,
        apiKey: mint.apiKey,
        minTtlSeconds: mint.minTtlSeconds,
        request,
        token,
        locate,
        issuedBy(reply) {
            if (reply.kind === 'no-answer')
                return null;
            return issuedToken(reply) ?? opaqueTokenOf(reply, field);
        },
        facts() {
            facts ??= findFacts();
            return facts;
        },
        pathsHolding: holding,
    };
}
/**
 * A token anywhere in the answer, its header included, that the request did not carry itself. Cookies do not count:
 * gateways give anonymous visitors sessions that are JWTs, too, refused ones as well.
 */
export function issuedToken(answer) {
    const headers = answer.headers.filter(([name]) => name !== 'set-cookie');
    const texts = [answer.body, ...stringsOf(answer.json), ...headers.map(([, value]) => value)];
    return texts.flatMap(tokensIn).find((jwt) => !answer.sent.includes(jwt)) ?? null;
}
/** A service may issue something that is no JWT; in a success it stands where a token would. */
function opaqueTokenOf(answer, field) {
    if (answer.status < 200 || answer.status > 299)
        return null;
    const located = locateToken({ text: answer.body, json: answer.json }, field);
    return located.kind === 'found' && !answer.sent.includes(located.token) ? located.token : null;
}
function hasIssued(reply) {
    return reply.kind === 'answer' && reply.status >= 200 && reply.status <= 299;
}
/** The seconds for which a limit on the rate asks to wait; `null` where there is none. */
function limitOf(reply) {
    if (reply.kind === 'no-answer' || reply.status !== 429)
        return null;
    return retryAfterSeconds(headerOf(reply.headers, 'retry-after'));
}
function stringsOf(json) {
    if (typeof json === 'string')
        return [json];
    if (typeof json !== 'object' || json === null)
        return [];
    return Object.values(json).flatMap(stringsOf);
}
function bodyOf(change, newUser) {
    if (change.body === null || change.method === 'GET' || change.method === 'HEAD')
        return null;
    if (typeof change.body === 'string')
        return change.body;
    if (change.body !== undefined)
        return JSON.stringify(change.body);
    const { userId = newUser(), ttlSeconds } = change;
    return JSON.stringify({ userId, ...(ttlSeconds === undefined ? {} : { ttlSeconds }) });
}
