import { z } from 'zod';
import * as leaf from './leaves.js';
import { complain } from './refine.js';
/** The signaling profile as it is written: how a service does what the specification leaves open. */
const frame = z
    .strictObject({
    path: leaf.jsonPath.describe('JSONPath (RFC 9535) into the JSON of a frame'),
    equals: z
        .union([z.string(), z.number(), z.boolean(), z.null()], {
        error: 'text, a number, true, false or null',
    })
        .describe('The value to find there, compared by type and value'),
}, { error: '{ path: …, equals: … }' })
    .describe('A frame whose JSON has this value at this path');
const frameSign = z.strictObject({ frame });
const textSign = z.strictObject({
    text: z
        .strictObject({ startsWith: leaf.text().describe('What the frame begins with') }, { error: '{ startsWith: … }' })
        .describe('A frame that begins with this text, where the service does not speak JSON'),
});
const statuses = z
    .array(leaf.integer('an HTTP status from 100 to 599', 100, 599), { error: 'a list such as [401, 403]' })
    .min(1, { error: 'at least one HTTP status' });
const closeCodes = z
    .array(leaf.integer('a close code from 1000 to 4999', 1000, 4999), { error: 'a list such as [4401]' })
    .min(1, { error: 'at least one close code' });
const successSign = z.union([
    frameSign,
    textSign,
    z.strictObject({
        quietOpenMs: leaf.positiveMs.describe('Open for this long without a failure sign counts as success'),
    }),
], { error: 'one of { frame: … }, { text: … } and { quietOpenMs: … }' });
const failureSign = z.union([
    frameSign,
    textSign,
    z.strictObject({ http: statuses.describe('HTTP statuses that answer the upgrade') }),
    z.strictObject({ close: closeCodes.describe('WebSocket close codes') }),
], { error: 'one of { frame: … }, { text: … }, { http: […] } and { close: […] }' });
const failureSigns = z.array(failureSign, { error: 'a list of signs' });
const withJwt = 'text that holds {jwt}';
const name = leaf.token.describe('The name under which it is sent');
const subprotocol = leaf.text('a subprotocol without spaces, commas and slashes', (value) => /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(value.replaceAll(/\{(?:jwt|userId)\}/g, 'x')));
const subprotocols = z
    .array(subprotocol, { error: 'a list of subprotocols' })
    .refine((list) => list.some((entry) => entry.includes('{jwt}')), {
    error: 'a list with {jwt} in one of its subprotocols',
})
    .refine((list) => new Set(list).size === list.length, { error: 'a list that names each subprotocol once' });
export const carriage = z.discriminatedUnion('in', [
    z.strictObject({
        in: z.literal('header'),
        name,
        template: leaf
            .text(`${withJwt}, in one line`, (value) => value.includes('{jwt}') && leaf.isPrintable(value))
            .describe('The value of the header, such as Bearer {jwt}'),
    }),
    z.strictObject({
        in: z.literal('subprotocol'),
        protocols: subprotocols.describe('Offered in this order; one of them holds {jwt}'),
    }),
    z.strictObject({ in: z.literal('query'), name: leaf.text().describe('The name of the query parameter') }),
    z.strictObject({ in: z.literal('cookie'), name }),
    z.strictObject({
        in: z.literal('message'),
        template: leaf
            .text(withJwt, (value) => value.includes('{jwt}'))
            .describe('The message that carries the token'),
        after: z
            .union([z.literal('open'), frameSign, textSign], { error: 'open, { frame: … } or { text: … }' })
            .default('open')
            .describe('Send it once the socket is open, or after a frame of the service'),
    }),
], { error: 'header, subprotocol, query, cookie or message' });
export const declaredUser = z.discriminatedUnion('in', [
    z.strictObject({ in: z.literal('none') }),
    z.strictObject({ in: z.literal('carriage') }),
    z.strictObject({ in: z.literal('query'), name: leaf.text().describe('The name of the query parameter') }),
    z.strictObject({ in: z.literal('header'), name }),
    z.strictObject({
        in: z.literal('message'),
        template: leaf
            .text('text that holds {userId}', (value) => value.includes('{userId}'))
            .describe("Sent after the carriage's message"),
    }),
], { error: 'none, carriage, query, header or message' });
export const profile = z
    .strictObject({
    carriage: carriage.describe('Where the calling token travels'),
    subprotocols: z
        .array(subprotocol, { error: 'a list of subprotocols' })
        .exactOptional()
        .describe("Offered in every attempt, before the carriage's own"),
    declaredUser: declaredUser.prefault({ in: 'none' }).describe('Where the client states its userId'),
    success: z
        .array(successSign, { error: 'a list of signs' })
        .min(1, { error: 'at least one sign of success' })
        .describe('Signs that the token was accepted'),
    failure: failureSigns.default([]).describe('Signs that the token was refused'),
    unauthorized: failureSigns.default([]).describe('Which events mean 401; may be empty'),
    samples: z
        .strictObject({
        success: leaf.text().exactOptional().describe('A frame that tells a client it was accepted'),
        unauthorized: leaf
            .text()
            .exactOptional()
            .describe('A frame that tells a client it was refused as 401'),
    })
        .prefault({})
        .describe('What a double sends to a client under test; made from the signs where absent'),
    timeoutMs: leaf.positiveMs.default(8000).describe('How long an attempt may take without any sign'),
    settleMs: leaf.milliseconds.default(300).describe('How long the socket is watched after success'),
}, { error: 'a mapping with carriage and success' })
    .superRefine((written, context) => {
    if (written.declaredUser.in === 'carriage' && !carriesUser(written.carriage))
        complain(context, ['declaredUser'], 'says carriage, but no template of the carriage holds {userId}: add it there');
    written.success.forEach((sign, index) => {
        if ('quietOpenMs' in sign && sign.quietOpenMs >= written.timeoutMs)
            complain(context, ['success', index, 'quietOpenMs'], `is ${sign.quietOpenMs}, which timeoutMs (${written.timeoutMs}) never allows: make it shorter`);
    });
});
function carriesUser(written) {
    if ('template' in written)
        return written.template.includes('{userId}');
    return 'protocols' in written && written.protocols.some((entry) => entry.includes('{userId}'));
}
