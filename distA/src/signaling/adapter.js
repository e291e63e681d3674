var __rewriteRelativeImportExtension = (this && this.__rewriteRelativeImportExtension) || function (path, preserveJsx) {
    if (typeof path === "string" && /^\.\.?\//.test(path)) {
        return path.replace(/\.(tsx)$|((?:\.d)?)((?:\.[^./]+?)?)\.([cm]?)ts$/i, function (m, tsx, d, ext, cm) {
            return tsx ? preserveJsx ? ".jsx" : ".js" : d && (!ext || !cm) ? m : (d + ext + "." + cm.toLowerCase() + "js");
        });
    }
    return path;
};
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { TwotokenError } from '../errors.js';
import { alarm } from './alarm.js';
import { createEventLog } from './event-log.js';
import { createRecorder } from './record.js';
/** How long an adapter may take to settle after its signal has aborted, and to close. */
const graceMs = 1000;
const keptCharacters = 1_048_576;
const eventTypes = ['http', 'open', 'sent', 'frame', 'close', 'error', 'timeout'];
const moduleShape = z.object({
    connect: z.custom((value) => typeof value === 'function', 'is not a function'),
    declaresUser: z.boolean().default(false),
});
const resultShape = z.object({
    accepted: z.boolean(),
    unauthorized: z.boolean().default(false),
    events: z.array(z.object({ type: z.string(), text: z.string() })).default([]),
    ended: z.custom(isThenable, 'is not a promise').optional(),
    close: z.custom((value) => typeof value === 'function', 'is not a function').optional(),
});
/**
 * A client for signaling that an adapter joins. Rejects with a TwotokenError where the module cannot be used, and so
 * does each attempt in which the adapter fails.
 */
export async function createAdapterSignaling(options) {
    const { url, modulePath, clock } = options;
    const loaded = await import(__rewriteRelativeImportExtension(pathToFileURL(modulePath).href)).catch((error) => {
        throw new TwotokenError('configuration', `the signaling adapter ${modulePath} cannot be loaded`, error);
    });
    const adapter = checked(moduleShape, { ...loaded }, `the signaling adapter ${modulePath}`);
    const record = createRecorder({ ...options, runStart: options.runStart ?? clock.monotonic() });
    const attempt = async (request) => {
        const startedAt = clock.monotonic();
        const settle = (verdict, result) => {
            const decidedAt = clock.monotonic();
            const said = result?.events ?? [];
            const events = said.map(({ type, text }) => ({ at: decidedAt, type: knownType(type), text }));
            const exchange = record({ offer: { url, headers: [], protocols: [] }, startedAt, events, verdict });
            const unauthorized = result?.unauthorized ?? false;
            return { exchange, unauthorized, summary: verdict, events, startedAt, decidedAt };
        };
        if (request.headers !== undefined && request.headers.length > 0) {
            const reason = 'a signaling adapter takes no headers';
            return { ...settle(`was not asked: ${reason}`), outcome: 'untestable', reason };
        }
        const hangUp = new AbortController();
        try {
            const result = await joined(adapter.connect, options, request, hangUp);
            if (result.accepted) {
                const base = settle('was accepted, as the adapter says', result);
                return { ...base, outcome: 'accepted', socket: openSocket(result, clock, hangUp) };
            }
            await closed(result, clock, hangUp);
            const base = settle('refused, as the adapter says', result);
            return { ...base, outcome: 'refused', named: true };
        }
        catch (error) {
            hangUp.abort();
            throw error;
        }
    };
    return { declaresUser: adapter.declaresUser, attempt };
}
/** What the adapter says, or a TwotokenError where it fails to say anything. */
async function joined(connect, { url, clock, timeoutMs }, request, hangUp) {
    const deadlineMs = request.deadlineMs ?? timeoutMs;
    const late = Promise.withResolvers();
    const startedAt = clock.monotonic();
    const cancelAbort = alarm(clock, startedAt + deadlineMs, () => hangUp.abort());
    const cancelLate = alarm(clock, startedAt + deadlineMs + graceMs, () => late.reject(new Error(`it did not settle within ${(deadlineMs + graceMs) / 1000} s`)));
    try {
        const { token, declaredUser: userId } = request;
        const connecting = Promise.try(() => connect({ url, token, userId, signal: hangUp.signal }));
        const result = await Promise.race([connecting, late.promise]);
        return checked(resultShape, result, 'what connect of the signaling adapter resolved to');
    }
    catch (error) {
        if (error instanceof TwotokenError)
            throw error;
        const message = error instanceof Error ? error.message : String(error);
        throw new TwotokenError('precondition', `connect of the signaling adapter failed: ${message}`, error);
    }
    finally {
        cancelAbort();
        cancelLate();
    }
}
function openSocket(result, clock, hangUp) {
    const log = createEventLog(clock, keptCharacters);
    result.ended?.then((how) => log.push({ type: 'close', ...readEnd(how) }), (error) => log.push({ type: 'error', text: String(error) }));
    return {
        events: log.events,
        ended: log.ended,
        next: log.next,
        send: () => false,
        [Symbol.asyncDispose]: () => closed(result, clock, hangUp),
    };
}
/** An adapter that does not close in time, or fails to, is left alone: its verdict stands. */
async function closed({ close }, clock, hangUp) {
    const late = Promise.withResolvers();
    const cancel = alarm(clock, clock.monotonic() + graceMs, late.resolve);
    await Promise.race([Promise.try(() => close?.()).catch(() => undefined), late.promise]);
    cancel();
    hangUp.abort();
}
function readEnd(how) {
    const { code, text } = Object(how);
    return { text: typeof text === 'string' ? text : '', ...(typeof code === 'number' ? { code } : {}) };
}
function knownType(type) {
    return eventTypes.find((known) => known === type) ?? 'frame';
}
function isThenable(value) {
    return typeof Object(value).then === 'function';
}
function checked(shape, value, what) {
    const parsed = shape.safeParse(value);
    if (parsed.success)
        return parsed.data;
    throw new TwotokenError('configuration', `${what} is not usable:\n${z.prettifyError(parsed.error)}`, parsed.error);
}
