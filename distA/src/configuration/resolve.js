import { basename, resolve } from 'node:path';
import { runCredentialCommands } from './credentials.js';
import { explain } from './explain.js';
import { parseListen } from './leaves.js';
import { pathKey } from './path.js';
import { configurationError } from './problem.js';
import { resolvedSchema, writtenSchema } from './schema.js';
import { substitute } from './substitute.js';
/**
 * Puts the environment and the credentials into a configuration as it was written, and makes its paths absolute.
 * @throws TwotokenError `configuration` with every problem, or `credential` where only credentials are the problem
 */
export async function resolveFrom(written, origin, surroundings) {
    const { value, fromEnvironment, problems } = substitute(written, surroundings.environment);
    const checked = writtenSchema.safeParse(value);
    const found = checked.success
        ? []
        : explain(checked.error, { schema: writtenSchema, value, fromEnvironment });
    // What could not be replaced has been named already.
    const others = found.filter((problem) => !problems.some(({ path }) => isAtOrBelow(problem.path, path)));
    refuse([...problems, ...others], origin);
    const credentials = await runCredentialCommands(value, surroundings);
    refuse(credentials.problems, origin);
    const resolved = resolvedSchema.safeParse(credentials.value);
    if (resolved.success)
        return configurationOf(resolved.data, surroundings.directory);
    const state = { schema: resolvedSchema, value: credentials.value, fromEnvironment };
    throw configurationError(explain(resolved.error, state), origin);
}
function refuse(problems, origin) {
    if (problems.length > 0)
        throw configurationError(problems, origin);
}
function isAtOrBelow(path, above) {
    return pathKey(path.slice(0, above.length)) === pathKey(above);
}
function configurationOf(file, directory) {
    const { mint, backend, signaling, token, client, bundle, start, tls } = file;
    const absolute = (path) => resolve(directory, path);
    return {
        name: file.name ?? (basename(directory) || 'implementation'),
        directory,
        ...(mint && { mint: mintOf(mint) }),
        ...(backend && { backend: backendOf(backend) }),
        ...(signaling && { signaling: signalingOf(signaling, absolute) }),
        token: tokenOf(token, absolute),
        ...(client && { client: clientOf(client, absolute) }),
        ...(bundle && { bundle: { ...bundle, paths: bundle.paths.map(absolute) } }),
        ...(start && { start: startOf(start, absolute) }),
        absent: file.absent,
        limits: file.limits,
        tls: tls.ca === undefined ? {} : { ca: absolute(tls.ca) },
        waivers: file.waivers,
    };
}
function mintOf({ keys, ...mint }) {
    const { trialEnded, suspended, capped } = keys;
    return {
        ...mint,
        url: mint.url.replace(/\/+$/, ''),
        keys: {
            ...(trialEnded && { trialEnded: stateKeyOf(trialEnded) }),
            ...(suspended && { suspended: stateKeyOf(suspended) }),
            ...(capped && { capped: stateKeyOf(capped) }),
        },
    };
}
function stateKeyOf(written) {
    return typeof written === 'string' ? { key: written, attested: false } : written;
}
function backendOf({ fakeMint, ...backend }) {
    if (fakeMint === undefined)
        return backend;
    const { listen, ...rest } = fakeMint;
    const address = parseListen(listen);
    return address === undefined ? backend : { ...backend, fakeMint: { ...address, ...rest } };
}
function signalingOf(signaling, absolute) {
    const { profile, adapter, ...rest } = signaling;
    if (profile !== undefined)
        return { ...rest, access: { profile } };
    return adapter === undefined ? rest : { ...rest, access: { adapter: absolute(adapter) } };
}
function clientOf({ driver, observe, browser, ...client }, absolute) {
    const address = observe && parseListen(observe.listen);
    return {
        ...client,
        ...(driver !== undefined && { driver: absolute(driver) }),
        ...(browser !== undefined && { browser: absolute(browser) }),
        ...(address && { observe: address }),
    };
}
function tokenOf({ jwks, signWith, ...token }, absolute) {
    return {
        ...token,
        ...(jwks !== undefined && { jwks: jwks.includes('://') ? jwks : absolute(jwks) }),
        ...(signWith && {
            signWith: 'secret' in signWith ? signWith : { ...signWith, privateKey: absolute(signWith.privateKey) },
        }),
    };
}
/** The schema has seen to it that there is one way to start and no other. */
function startOf(start, absolute) {
    const { readyTimeoutSeconds, compose, command, containers } = start;
    if (compose !== undefined)
        return { readyTimeoutSeconds, compose: absolute(compose) };
    if (command !== undefined)
        return { readyTimeoutSeconds, command };
    return { readyTimeoutSeconds, containers: containers ?? {} };
}
