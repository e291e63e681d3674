import { GivenUp } from './budget.js';
import { knownSubprotocols } from './known-names.js';
import { greetingSign } from './separate.js';
const shortestMs = 700;
export async function baselineOf(url, prober, { baselineMs, silenceMs }) {
    const bare = { url, headers: [], protocols: [], messages: [], after: 'open' };
    const watch = { windowMs: baselineMs };
    const [first, second, offered] = await Promise.all([
        prober.probe(bare, watch),
        prober.probe(bare, watch),
        prober.probe({ ...bare, protocols: knownSubprotocols }, watch),
    ]);
    for (const { isReached, end } of [first, second])
        if (!isReached)
            throw new GivenUp(`signaling ${end?.text ?? 'could not be reached'}`);
    const [nobodys] = knownSubprotocols;
    const isChosen = offered.protocol !== '' && offered.protocol !== nobodys;
    const traces = isChosen ? [offered] : [first, second];
    const end = traces[0]?.end ?? null;
    const lastMs = Math.max(...traces.map((trace) => trace.lastMs));
    return {
        traces,
        end,
        windowMs: end === null ? silenceMs : Math.max(shortestMs, Math.round(lastMs * 1.5 + 300)),
        greeting: greetingSign(traces),
        subprotocols: isChosen ? [offered.protocol] : [],
    };
}
