import { ControlLost, Untested } from '../check/judge.js';
import { isRecord } from '../tokens/decode.js';
import { trafficTaps } from './traffic-taps.js';
/** A client that has sent nothing for so long has nothing more to send; one that never pauses is not waited for. */
const quietMs = 700;
const mostQuietSeconds = 5;
/** How long an action may take: a login may go through several pages. */
const stepMs = 30_000;
/** A person has more than one thing to do. */
const observedStepMs = 600_000;
/** Puts a client and the world around it together. */
export function createApp(world, actor, { client, limits }) {
    const users = client?.users ?? {};
    const reactionSeconds = limits.clientSettleSeconds;
    const { bell, backend, signaling, issuing, timeline } = world;
    let isHeld = false;
    const hold = async () => {
        if (isHeld || !actor.isClockDriven())
            return;
        await actor.holdClock();
        world.hold(true);
        isHeld = true;
    };
    const release = async () => {
        if (!isHeld)
            return;
        await actor.releaseClock();
        world.hold(false);
        isHeld = false;
    };
    const allowedMs = actor.isPerson ? observedStepMs : stepMs;
    const step = async (name, run) => {
        const tooLate = `${actor.prefix}${name} did not come back within ${allowedMs / 1000} s`;
        await release();
        let settled = null;
        run()
            .then((value) => {
            settled = { value };
        }, (error) => {
            settled = { error };
        })
            .finally(bell.ring);
        const outcome = await bell.wait(() => settled, allowedMs);
        if (outcome === null)
            throw new ControlLost(tooLate);
        if ('value' in outcome)
            return outcome.value;
        if (outcome.error instanceof ControlLost || outcome.error instanceof Untested)
            throw outcome.error;
        throw new ControlLost(`${actor.prefix}${name} failed: ${firstLine(outcome.error)}`);
    };
    const wait = (probe, seconds = reactionSeconds) => bell.wait(probe, seconds * 1000);
    const demand = (...actions) => {
        const missing = actions.filter((action) => !actor.can.has(action));
        if (missing.length > 0)
            throw new Untested(`needs ${missing.map((action) => `${actor.prefix}${action}`).join(' and ')}`);
    };
    const optional = (action, run) => async () => {
        demand(action);
        await step(action, run);
    };
    let dialsBeforeSignIn = 0;
    const signIn = async (name = 'alice') => {
        const known = users[name] ?? {};
        const told = (value) => (typeof value === 'string' && value !== '' ? value : undefined);
        const presumed = told(known['userId']) ?? name;
        dialsBeforeSignIn = signaling.dials().length;
        // Some apps ask for a token as soon as somebody is signed in.
        world.setUser(presumed);
        const given = told(known['sessionToken']) ?? (actor.takesSession ? madeUpSession(name) : undefined);
        const person = actor.takesSession
            ? { ...known, name, userId: presumed, sessionToken: given }
            : { ...known, name };
        const said = await step('signIn', () => actor.signIn(person));
        const { userId, sessionToken } = isRecord(said) ? said : {};
        const user = told(userId) ?? presumed;
        world.setUser(user);
        const session = told(sessionToken) ?? given ?? null;
        if (session !== null)
            world.learnSession(session);
        return { name, userId: user, sessionToken: session };
    };
    const backendAsked = async (after = 0) => {
        const call = await wait(() => backend.calls()[after]);
        if (call !== null)
            return call;
        throw new ControlLost(`the app did not call its token route within ${reactionSeconds} s${asidesOf(world)}; client.backendUrl has to match the route`);
    };
    const dialled = async (after = 0) => {
        const dial = await wait(() => signaling.dials()[after]);
        if (dial !== null)
            return dial;
        throw new ControlLost(`the app did not dial signaling within ${reactionSeconds} s${asidesOf(world)}; client.signalingUrl has to match the address`);
    };
    const establish = async () => {
        const before = signaling.dials().length;
        await step('connect', () => actor.connect());
        // An app that connects by itself has done so when the sign-in is over, and need not dial again.
        const accepted = () => signaling
            .dials()
            .find(({ outcome, closedAt }, at) => at >= dialsBeforeSignIn && outcome === 'accepted' && (at >= before || closedAt === null));
        const dial = await wait(accepted);
        const call = backend.calls().find(({ issued }) => issued !== null && issued === dial?.credential);
        if (dial !== null && call !== undefined)
            return { call, dial };
        throw await whyNotJoined();
    };
    const join = async (name) => {
        const user = await signIn(name);
        return { user, ...(await establish()) };
    };
    /** How far it came. */
    const whyNotJoined = async () => {
        if (backend.calls().length === 0)
            return await backendAsked().then(whyNotJoined, (error) => error);
        const dial = signaling.dials().at(-1) ?? (await dialled().catch((error) => error));
        if (dial instanceof Error)
            return dial;
        const isSession = world.sessions().includes(dial.credential ?? '');
        const other = dial.credential !== null && !isSession && issuing.find(dial.credential) === undefined;
        const source = other
            ? world.web.loaded().find(({ text }) => text.includes(dial.credential ?? ''))
            : undefined;
        if (source !== undefined)
            return new Untested(`the calling JWT came from ${source.url.origin}${source.url.pathname}, which client.backendUrl does not match: correct it`);
        const offered = dial.credential === null
            ? 'no credential where the profile says'
            : isSession
                ? 'the session as credential'
                : other
                    ? 'another credential than it was given'
                    : 'a calling JWT';
        return new ControlLost(`the app dialled signaling with ${offered} and was not accepted`, [dial.exchange]);
    };
    return {
        backend,
        signaling,
        demand,
        can: (action) => actor.can.has(action),
        signIn,
        signOut: async () => void (await step('signOut', () => actor.signOut())),
        connect: async () => void (await step('connect', () => actor.connect())),
        disconnect: optional('disconnect', () => actor.disconnect()),
        async configure(patch) {
            demand('configure');
            await step('configure', () => actor.configure(patch));
        },
        state: () => (actor.can.has('state') ? step('state', () => actor.state()) : Promise.resolve(null)),
        join,
        establish,
        backendAsked,
        dialled,
        wait,
        async quiet() {
            await wait(() => timeline.now() - world.lastActivity() >= quietMs, mostQuietSeconds);
        },
        pump: async (probe, seconds) => {
            await hold();
            return await pumped(world, actor, probe, seconds);
        },
        clientNow: world.clientNow,
        isClockDriven: actor.isClockDriven,
        async passTime(seconds) {
            demand('drivenClock');
            await actor.passTime(seconds * 1000);
            world.skip(seconds * 1000);
        },
        requests: world.web.requests,
        taps: async () => [...trafficTaps(world), ...(await step('taps', () => actor.taps()))],
        issued: () => issuing.issued,
        async [Symbol.asyncDispose]() {
            world.end();
            await actor[Symbol.asyncDispose]();
        },
    };
}
/** Small steps at first, so that short delays show exactly; longer ones the longer it takes, so that an hour costs no more than a minute. */
const shortestPumpMs = 50;
const pumpGrowth = 0.05;
/** What is on its way gets so long to arrive before the client's clock goes on. */
const arrivalMs = 50;
async function pumped(world, actor, probe, seconds) {
    const { bell } = world;
    const begin = world.clientNow();
    const end = begin + seconds * 1000;
    for (;;) {
        if (!actor.isClockDriven())
            return await bell.wait(probe, Math.max(0, end - world.clientNow()));
        await actor.arrived();
        await bell.wait(() => !isBusy(world), arrivalMs);
        const found = await bell.wait(probe, 0);
        if (found !== null || world.clientNow() >= end)
            return found;
        const elapsedMs = world.clientNow() - begin;
        const stepMs = Math.max(shortestPumpMs, Math.round(elapsedMs * pumpGrowth));
        // First, so that whatever the step brings is of the same instant, however soon it comes.
        world.skip(stepMs);
        await actor.runClock(stepMs);
        await bell.wait(() => false, 5);
    }
}
/** Something is under way that the client waits for. */
function isBusy({ backend, signaling }) {
    return (backend.calls().some(({ status, givenUpAt }) => status === null && givenUpAt === null) ||
        signaling.dials().some(({ outcome, closedAt }) => outcome === null && closedAt === null));
}
/** Where the traffic went that was expected at a double. */
function asidesOf({ web }) {
    const others = web
        .requests()
        .filter(({ host, method, headers }) => host !== 'own' || method !== 'GET' || hasBearer(headers))
        .map(({ url }) => new URL(url))
        .map(({ origin, pathname }) => origin + pathname);
    const [first] = [...new Set(others)].slice(-1);
    return first === undefined ? '' : ` (it did call ${first})`;
}
function hasBearer(headers) {
    return headers.some(([name, value]) => name === 'authorization' && /^bearer /i.test(value));
}
function madeUpSession(name) {
    return `session-of-${name}-${crypto.randomUUID()}`;
}
function firstLine(error) {
    const text = error instanceof Error ? error.message : String(error);
    return text.split('\n')[0] ?? text;
}
