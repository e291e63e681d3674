const words = {
    die: ({ exitCode = '?' }) => `ended with exit code ${exitCode}`,
    kill: ({ signal = '?' }) => `was sent signal ${signal}`,
    oom: () => 'ran out of memory',
    pause: () => 'was paused',
    unpause: () => 'went on',
    restart: () => 'was restarted',
    disconnect: () => 'was cut off from its network',
    connect: () => 'was connected to a network',
};
/** Watches until disposed of. An engine that does not tell leaves the lists empty. */
export async function watchEvents({ docker }, ids) {
    const told = new Map(ids.map((id) => [id, []]));
    const begun = performance.now();
    const stream = (await docker
        .getEvents({ filters: { type: ['container', 'network'], event: Object.keys(words) } })
        .catch(() => null));
    let rest = '';
    stream?.on('data', (chunk) => {
        const lines = (rest + chunk.toString('utf8')).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines)
            note(line);
    });
    stream?.on('error', () => undefined);
    const note = (line) => {
        if (line.trim() === '')
            return;
        const { Action = '', Actor = {} } = JSON.parse(line);
        const { ID = '', Attributes = {} } = Actor;
        const text = words[Action]?.(Attributes);
        const seconds = ((performance.now() - begun) / 1000).toFixed(1);
        if (text !== undefined)
            told.get(Attributes['container'] ?? ID)?.push(`${text} after ${seconds} s`);
    };
    return {
        of: (id) => told.get(id) ?? [],
        [Symbol.dispose]: () => void stream?.destroy(),
    };
}
