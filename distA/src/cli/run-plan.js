import { join, resolve } from 'node:path';
import { loadConfiguration, resolveConfiguration } from '../configuration/load.js';
import { TwotokenError } from '../errors.js';
import { preflight } from '../preflight/preflight.js';
import { planMints } from '../runner/plan.js';
import { parseShard, shareOf } from '../runner/shard.js';
import { loadCatalogue } from './catalogue.js';
import { detectedProfile, needsDetection, withProfile } from './detected-profile.js';
import { interruptionOf } from './interruption.js';
import { assertWritable } from './keep.js';
import { assertKnown } from './known-waivers.js';
import { selected } from './selection.js';
import { broughtUp } from './start.js';
/** Everything that can be found wrong before anything is judged; null when the user interrupts it. */
export async function prepared(options, environment, signal, stack) {
    const catalogue = await loadCatalogue();
    const suites = options.observe === true ? ['client'] : options.suites;
    const all = selected(catalogue, { ...options, ...(suites === undefined ? {} : { suites }) });
    const shard = options.shard === undefined ? undefined : parseShard(options.shard);
    const checks = shard === undefined ? all : shareOf(all, shard);
    try {
        const written = await configurationOf(options, environment, signal, stack);
        assertKnown(written.waivers, catalogue);
        const folder = options.config === undefined ? environment.directory : written.directory;
        const out = resolve(environment.directory, options.out ?? join(folder, 'twotoken-results'));
        await assertWritable(out);
        const started = await broughtUp(written, options.containers, { ...environment, signal });
        if (started !== null)
            stack.use(started);
        const configuration = started?.configuration ?? written;
        if (!options.keepGoing)
            await Promise.race([assertReachable(configuration, checks), interruptionOf(signal)]);
        if (signal.aborted)
            return null;
        const share = shard === undefined ? {} : { shard: { ...shard, ids: all.map(({ id }) => id) } };
        const limit = options.maxMints ?? configuration.limits.maxMints ?? null;
        if (limit !== null && options.withContracts)
            throw uncounted();
        const detected = needsDetection(configuration, checks)
            ? await detectedProfile(configuration, {
                signal,
                maxMints: limit ?? undefined,
                onProgress: (what) => environment.stderr.write(`no signaling profile: trying ${what}\n`),
            })
            : null;
        if (signal.aborted)
            return null;
        const spent = (options.keepGoing ? 0 : preflightMints) + (detected?.mints ?? 0);
        const plan = planMints(checks, limit, spent);
        sayCost(plan, limit, spent, environment.stderr);
        const mints = { ...plan, left: limit === null ? null : Math.max(0, limit - spent) };
        const judgedBy = detected === null ? configuration : withProfile(configuration, detected);
        return { checks, configuration: judgedBy, started, out, detected, mints, ...share };
    }
    catch (error) {
        // What an interruption breaks off is no failure of its own.
        if (signal.aborted)
            return null;
        throw error;
    }
}
async function configurationOf({ config, containers }, { directory, variables, stderr }, signal, stack) {
    if (config !== undefined)
        return await loadConfiguration(resolve(directory, config), variables, { signal });
    if (containers) {
        stderr.write('no configuration file: running against the reference stack in containers\n');
        return await resolveConfiguration({ name: 'reference in containers' }, { directory, environment: variables });
    }
    stderr.write('no configuration file: running against the embedded reference stack\n');
    const { startReference } = await import('../../fixtures/stack.js');
    return stack.use(await startReference({ withBundle: true, withClient: true })).configuration;
}
async function assertReachable(configuration, checks) {
    const roles = [...new Set(checks.map(({ role }) => role))];
    const fatal = (await preflight(configuration, { parts: roles })).filter((problem) => problem.fatal);
    if (fatal.length === 0)
        return;
    const lines = fatal.map(({ part, message }) => `${part}: ${message}`);
    throw new TwotokenError('precondition', `nothing was judged:\n  ${lines.join('\n  ')}\n  --keep-going judges the other parts`);
}
/** An ordinary request, and one without a lifetime where the first was refused. */
const preflightMints = 2;
function sayCost({ cost, beyond }, limit, spent, stderr) {
    if (limit === null)
        return;
    const left = beyond.length === 0 ? '' : `; ${beyond.length} of them stay untested`;
    stderr.write(`of the ${limit} calling tokens of --max-mints ${spent} go to the preparations; the requirements may cost ${cost}${left}\n`);
}
function uncounted() {
    return new TwotokenError('usage', '--with-contracts has tokens issued that --max-mints does not count; expected one of the two: verify the contracts on their own');
}
