import { createBell } from './bell.js';
import { hostsOf } from './hosts.js';
import { createIssuing } from './issuing.js';
import { passingOn } from './pass-on.js';
import { createTimeline } from './timeline.js';
/** Too short to be a secret, and found everywhere. */
const shortestSession = 6;
export function createGround(options) {
    const { configuration, testKey, redactor, ca, routes } = options;
    const timeline = createTimeline(options);
    let skippedMs = 0;
    const wall = () => Date.now() + skippedMs;
    const issuing = createIssuing(testKey, configuration.token, redactor, { monotonic: timeline.now, wall });
    const openedAt = timeline.now();
    const users = new Map();
    let current = 'nobody';
    let heldMs = 0;
    let activeAt = openedAt;
    let heldAt = null;
    return {
        timeline,
        bell: createBell(),
        issuing,
        hosts: hostsOf(configuration, routes),
        passing: passingOn(ca),
        clientNow: () => (heldAt ?? timeline.now()) - openedAt - heldMs + skippedMs,
        skip(ms) {
            skippedMs += ms;
        },
        touch() {
            activeAt = timeline.now();
        },
        lastActivity: () => activeAt,
        hold(isHeld) {
            const now = timeline.now();
            if (heldAt !== null && !isHeld)
                heldMs += now - heldAt;
            heldAt = isHeld ? now : null;
        },
        setUser(userId) {
            current = userId;
        },
        userOf: (bearer) => users.get(bearer ?? '') ?? current,
        userOfDial: ({ credential, declaredUser }) => issuing.find(credential ?? '')?.userId ?? declaredUser ?? current,
        learnSession(sessionToken) {
            if (sessionToken.length < shortestSession || issuing.find(sessionToken) !== undefined)
                return;
            redactor.register('session', sessionToken);
            users.set(sessionToken, current);
        },
        sessions: () => [...users.keys()],
        secrets: () => [...users.keys(), ...issuing.issued.map(({ jwt }) => jwt)],
    };
}
