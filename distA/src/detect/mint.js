import { randomBytes } from 'node:crypto';
import { ControlLost, Untested } from '../check/judge.js';
import { headerOf } from '../http/headers.js';
import { isRecord } from '../tokens/decode.js';
import { GivenUp } from './budget.js';
const lifetimes = [1, 10, 60, 900, 3600, 86_401];
/**
 * A dozen ordinary requests, and three that must be refused.
 * @throws GivenUp where no token can be got
 */
export async function detectMint(search) {
    const { mint, newUser, budget } = search;
    const evidence = [];
    const minted = async (ttlSeconds) => {
        budget.mint();
        const token = await mint.token(newUser(), ttlSeconds === undefined ? {} : { ttlSeconds });
        evidence.push(token.exchange);
        return token;
    };
    const [first, second] = await inWords(async () => [await minted(), await minted()]);
    const held = (token) => token.read === null ? [] : mint.pathsHolding(token.read, token.userId);
    const ttl = [];
    for (const asked of lifetimes)
        ttl.push({ asked, granted: await grantedFor(asked, minted) });
    const { alg, kid } = first.read?.header ?? {};
    const errors = await errorShapes(search, evidence);
    return {
        field: first.at === 'token' || first.at === 'jwt' || first.at === 'whole body' ? 'auto' : first.at,
        success: first.at,
        format: first.read?.format ?? 'opaque',
        algorithm: typeof alg === 'string' ? alg : null,
        userIdClaims: held(first).filter((path) => held(second).includes(path)),
        defaultTtlSeconds: secondsOf(first),
        ttl,
        floorSeconds: floorOf(ttl),
        ceilingSeconds: ceilingOf(ttl),
        errors,
        jwks: await publishedKeys(search, typeof kid === 'string' ? kid : null),
        evidence,
    };
}
async function inWords(run) {
    try {
        return await run();
    }
    catch (error) {
        if (error instanceof ControlLost || error instanceof Untested)
            throw new GivenUp(error.message);
        throw error;
    }
}
async function grantedFor(asked, minted) {
    try {
        return secondsOf(await minted(asked));
    }
    catch (error) {
        if (error instanceof ControlLost)
            return 'refused';
        throw error;
    }
}
function secondsOf({ lifetime: { byClaims, byClock } }) {
    const seconds = byClaims ?? byClock;
    return seconds === null ? null : Math.round(seconds);
}
/** Clamped up to it, or refused below it: the smallest that was granted while something smaller was not. */
function floorOf(ttl) {
    const [least] = ttl;
    if (least === undefined || least.granted === null)
        return null;
    if (typeof least.granted === 'number')
        return least.granted > least.asked + 1 ? least.granted : least.asked;
    const granted = ttl.find((one) => typeof one.granted === 'number');
    return granted === undefined ? null : Number(granted.granted);
}
function ceilingOf(ttl) {
    const last = ttl.at(-1);
    if (last === undefined || last.granted === null)
        return null;
    if (typeof last.granted === 'number')
        return last.granted < last.asked - 1 ? last.granted : null;
    const granted = ttl.findLast((one) => typeof one.granted === 'number');
    return granted === undefined ? null : Number(granted.granted);
}
async function errorShapes({ mint, newUser }, evidence) {
    const unknown = `ac_live_${randomBytes(24).toString('hex')}`;
    const asked = [
        ['no API key', () => mint.request({ key: null, userId: newUser() })],
        ['an API key that nobody has', () => mint.request({ key: unknown, userId: newUser() })],
        ['no userId', () => mint.request({ body: {} })],
    ];
    const shapes = [];
    for (const [what, ask] of asked) {
        const reply = await ask();
        evidence.push(reply.exchange);
        shapes.push({ what, shape: reply.kind === 'answer' ? shapeOf(reply) : reply.message });
    }
    return shapes;
}
/** Status, media type and the keys of a JSON body, to two levels. */
function shapeOf({ status, headers, json, body }) {
    const type = (headerOf(headers, 'content-type') ?? 'no content type').split(';')[0] ?? '';
    if (json === undefined)
        return `${status}, ${type}, ${body === '' ? 'no body' : 'text'}`;
    const keys = (value) => isRecord(value)
        ? `{ ${Object.entries(value)
            .map(([key, inner]) => (isRecord(inner) ? `${key}: { ${Object.keys(inner).join(', ')} }` : key))
            .join(', ')} }`
        : Array.isArray(value)
            ? 'a list'
            : typeof value;
    return `${status}, ${type}, ${keys(json)}`;
}
const keySetPaths = ['/.well-known/jwks.json', '/api/v1/.well-known/jwks.json', '/jwks.json'];
/** The usual addresses of a key set on the mint's host, which holds the key of the token. */
async function publishedKeys({ mint, http }, kid) {
    if (kid === null)
        return null;
    for (const path of keySetPaths) {
        const url = new URL(path, mint.endpoint).href;
        const reply = await http.send({
            to: 'jwks',
            method: 'GET',
            url,
            headers: [['accept', 'application/json']],
        });
        if (reply.kind !== 'answer' || reply.status !== 200 || !isRecord(reply.json))
            continue;
        const { keys } = reply.json;
        if (Array.isArray(keys) && keys.some((key) => isRecord(key) && key['kid'] === kid))
            return url;
    }
    return null;
}
