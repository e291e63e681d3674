import { missingOracle } from '../signaling/profile.js';
import { baselineOf } from './baseline.js';
import { GivenUp } from './budget.js';
import { draftsAt } from './candidates.js';
import { profileFrom } from './compile.js';
import { confirmed } from './confirm.js';
import { declarationOf } from './declared.js';
import { places } from './draft.js';
import { minimised } from './minimise.js';
import { firstHit, probeWith } from './search.js';
import { isSuccess } from './separate.js';
const usualPace = { baselineMs: 4000, silenceMs: 1000, toleratedMs: 12_000 };
/**
 * Finds out how a service is joined, and how it says yes and no.
 * @throws GivenUp where nothing tells those who are let in from those who are not
 */
export async function detectSignaling(search) {
    const { url, prober, supply, pace = usualPace, onProgress } = search;
    onProgress('how signaling treats a client without a credential');
    const baseline = await baselineOf(url, prober, pace);
    const searching = { url, prober, supply, baseline, pace };
    const hit = await found(search, searching);
    if (hit === null)
        throw new GivenUp(nothingTells(baseline));
    onProgress('what of it signaling needs');
    const minimal = await minimised(hit, searching);
    const declaration = await declarationOf(minimal, hit, searching);
    const draft = { ...minimal, pieces: [...minimal.pieces, ...declaration.pieces] };
    onProgress('how signaling refuses');
    const gathered = await gather(draft, hit, searching);
    const profile = profileFrom(draft, hit.separation, gathered, baseline.subprotocols);
    const gap = missingOracle(profile);
    if (gap !== null)
        throw new GivenUp(gap);
    onProgress('whether the profile holds');
    const confirmation = await confirmed(search.driverOf(profile), supply);
    const shown = [...gathered.valid, ...gathered.refused.flat()].map(({ exchange }) => exchange);
    return {
        profile,
        declaration: declaration.how,
        confirmation,
        evidence: [...shown, ...confirmation.accepted, ...confirmation.refused],
    };
}
async function found({ hints, onProgress }, searching) {
    const { supply, baseline } = searching;
    if (hints.length > 0) {
        onProgress('what you said to try');
        const hinted = await firstHit(hints, searching);
        if (hinted !== null)
            return hinted;
    }
    const tokenBytes = (await supply.lent()).jwt.length;
    for (const declared of [true, false])
        for (const place of places) {
            onProgress(`tokens by ${place}${declared ? '' : ', with nothing beside them'}`);
            const hit = await firstHit(draftsAt(place, { declared, tokenBytes, greeting: baseline.greeting }), searching);
            if (hit !== null)
                return hit;
        }
    return null;
}
/** More of each kind, watched for as long as it takes: what they have in common are the signs. */
async function gather(draft, hit, searching) {
    const { supply, baseline } = searching;
    const windowMs = Math.max(baseline.windowMs, 1500);
    const probe = async (credential) => await probeWith(draft, credential, searching, windowMs);
    const valid = [];
    const garbage = [];
    const damaged = [];
    const nothing = [];
    for (let round = 0; round < 2; round += 1) {
        valid.push(await probe(await supply.fresh()));
        garbage.push(await probe(supply.garbage()));
        damaged.push(await probe(await supply.tampered()));
        nothing.push(await probe({ jwt: null, userId: supply.garbage().userId }));
    }
    if (!valid.every((trace) => isSuccess(hit.separation, trace)))
        throw new GivenUp('signaling lets the same client in at one time and not at another');
    const refused = [garbage, damaged, nothing].map((group) => group.filter((trace) => !isSuccess(hit.separation, trace)));
    if ((refused[0]?.length ?? 0) < garbage.length)
        throw new GivenUp('signaling refuses the same garbage at one time and not at another');
    return { valid, refused };
}
function nothingTells({ traces, end }) {
    const [first] = traces;
    const how = end?.type === 'http'
        ? `answers ${end.code} whatever is offered`
        : end?.type === 'close'
            ? `closes with ${end.code} whatever is offered`
            : end === null
                ? `takes every connection${first?.frames.length === 0 ? ' and says nothing' : ''}, whatever is offered`
                : `${end.text}, whatever is offered`;
    const advice = end?.type === 'http' && end.code === 404
        ? 'see whether the path of signaling.url is right'
        : 'name what you know of it with --try, or write an adapter (docs/adapter.md)';
    return `signaling ${how}: in no place that was tried does a good token fare otherwise than garbage; ${advice}`;
}
