import { createAuthority } from '../tls/certificates.js';
import { createApp } from './app.js';
import { loadDriver } from './driver.js';
import { frontPaths, openFrontDoor } from './front-door.js';
import { observeDevice } from './observed.js';
import { openPage } from './page.js';
import { startProgram } from './program.js';
import { createWorld } from './world.js';
/** The client that the configuration describes; undefined where it describes none. */
export function createClientPart(options) {
    const { client } = options.configuration;
    if (client === undefined)
        return undefined;
    if (options.observer !== undefined)
        return observed(options, options.observer);
    if (client.url !== undefined && client.driver !== undefined)
        return pages(options, { url: client.url, driver: client.driver });
    if (client.command !== undefined)
        return programs(options, client.command);
    return undefined;
}
/** The profile that the doubles speak; an adapter alone has none. */
export function spokenProfile({ signaling }) {
    const access = signaling?.access;
    return access !== undefined && 'profile' in access ? access.profile : null;
}
function pages(options, page) {
    let driver;
    return {
        kind: 'page',
        seesEverything: true,
        async open(open = {}) {
            driver ??= loadDriver(page.driver);
            const loaded = await driver;
            return await opened(options, open, { seesStatus: false, routes: null }, async (world) => {
                const context = await options.browsers.context(world.counterpart);
                try {
                    return await openPage({ ...options, world, opened: context, driver: loaded, url: page.url, open });
                }
                catch (error) {
                    await context[Symbol.asyncDispose]();
                    throw error;
                }
            });
        },
    };
}
/** Clients that are told where the doubles are. */
const routes = { backend: `**${frontPaths.backend}`, signaling: `**${frontPaths.signaling}` };
function programs(options, command) {
    const { configuration, environment } = options;
    const tls = configuration.client?.tls ?? false;
    return {
        kind: 'program',
        seesEverything: false,
        async open(open = {}) {
            return await opened(options, open, { seesStatus: true, routes }, async (world) => {
                const door = await openFrontDoor({ counterpart: world.counterpart, tls });
                return await startProgram({ world, command, door, directory: configuration.directory, environment });
            });
        },
    };
}
/** One device, so that whoever opens it waits until it is free. */
function observed(options, observer) {
    const { tls = false, observe } = options.configuration.client ?? {};
    const authority = createAuthority();
    let free = Promise.resolve();
    return {
        kind: 'observed',
        seesEverything: false,
        async open(open = {}) {
            const { promise, resolve: release } = Promise.withResolvers();
            const before = free;
            free = promise;
            await before;
            try {
                const app = await opened(options, open, { seesStatus: true, routes }, async (world) => {
                    const door = await openFrontDoor({ counterpart: world.counterpart, tls, authority, ...observe });
                    return await observeDevice(world, door, observer);
                });
                return {
                    ...app,
                    async [Symbol.asyncDispose]() {
                        try {
                            await app[Symbol.asyncDispose]();
                        }
                        finally {
                            release();
                        }
                    },
                };
            }
            catch (error) {
                release();
                throw error;
            }
        },
    };
}
async function opened(options, open, kind, actorIn) {
    const { configuration } = options;
    const world = createWorld({ ...options, profile: spokenProfile(configuration), open, ...kind });
    try {
        return createApp(world, await actorIn(world), configuration);
    }
    catch (error) {
        world.end();
        throw error;
    }
}
