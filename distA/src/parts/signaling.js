import { ControlLost, Untested } from '../check/judge.js';
import { createPatience, retryAfterSeconds } from './patience.js';
/** Shorter than any token that could work anywhere. */
const shortestToken = 40;
export function createSignalingPart(options) {
    const { signaling, driver, tokens, redactor, clock } = options;
    const patience = createPatience(clock);
    const joining = new Map();
    const hold = async (request) => {
        // Garbage such as "undefined" is no secret, and would blank the word in every report.
        if (request.token !== null && request.token.length >= shortestToken)
            redactor.register('forged-jwt', request.token);
        const made = await patience(() => driver.attempt(request), (outcome) => (isLimited(outcome) ? retryAfterSeconds(undefined) : null));
        return isLimited(made) ? { ...made, unreachable: true } : made;
    };
    const attempt = async (request) => {
        const made = await hold(request);
        if (made.outcome === 'accepted')
            await made.socket[Symbol.asyncDispose]();
        return made;
    };
    const join = ({ jwt, userId }) => {
        const before = joining.get(userId) ?? Promise.resolve();
        const made = before.then(() => attempt({ token: jwt, declaredUser: userId }));
        joining.set(userId, made.catch(() => undefined));
        return made;
    };
    const accepted = async (token) => {
        const made = await join(token);
        if (made.outcome === 'accepted')
            return made;
        const what = made.outcome === 'untestable' ? `could not be given: ${made.reason}` : made.summary;
        throw new ControlLost(`signaling should have accepted a fresh calling token, but it ${what}`, [
            made.exchange,
        ]);
    };
    return {
        url: signaling.url,
        configuration: signaling,
        declaresUser: driver.declaresUser,
        attempt,
        hold,
        join,
        accepted,
        async control() {
            if (tokens === null)
                throw new Untested('needs a calling token for the control: configure mint, or backend with a real mint');
            await accepted(await tokens.fresh());
        },
    };
}
/** Refused for coming too often, not for what it offered. */
function isLimited(made) {
    return (made.outcome === 'refused' &&
        !made.named &&
        made.events.some(({ type, code }) => type === 'http' && code === 429));
}
