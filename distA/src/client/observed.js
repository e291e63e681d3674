const patienceMs = 600_000;
/** A client that nobody can operate but a person: it is told what to do next, and judged by its traffic alone. */
export async function observeDevice(world, door, observer) {
    const { bell, backend, signaling } = world;
    observer.tell([
        'Set in the app:',
        `  token route  ${door.backendUrl}`,
        `  signalingUrl ${door.signalingUrl}`,
        ...(door.caFile === null ? [] : [`  trust        ${door.caFile}`]),
    ].join('\n'));
    await observer.ask('Start the app afresh, with nobody signed in.');
    const traffic = () => backend.calls().length + signaling.dials().length;
    const connect = async () => {
        const before = traffic();
        const seen = bell.wait(() => traffic() > before, patienceMs);
        seen.catch(() => undefined);
        await observer.ask('Connect now.', seen);
    };
    const can = new Set(['disconnect']);
    return {
        prefix: 'a device that is observed cannot be asked to ',
        isPerson: true,
        takesSession: false,
        can,
        signIn: (user) => observer.ask(`Sign in as ${whom(user)}. Do not connect yet.`),
        connect,
        signOut: () => observer.ask('Sign out now.'),
        disconnect: () => observer.ask('Disconnect now, and stay signed in.'),
        configure: () => Promise.resolve(),
        state: () => Promise.resolve(null),
        taps: () => Promise.resolve([]),
        isClockDriven: () => false,
        holdClock: () => Promise.resolve(),
        releaseClock: () => Promise.resolve(),
        runClock: () => Promise.resolve(),
        arrived: () => Promise.resolve(),
        passTime: () => Promise.resolve(),
        [Symbol.asyncDispose]: () => door[Symbol.asyncDispose](),
    };
}
function whom({ name, userId }) {
    return typeof userId === 'string' && userId !== name ? `${name} (userId ${userId})` : name;
}
