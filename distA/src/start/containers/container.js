import { TwotokenError } from '../../errors.js';
import { engineWords } from './engine.js';
import { logOf } from './log.js';
import { hostName } from './network.js';
import { ownerLabel } from './owner.js';
import { tarOf } from './tar.js';
/** How long a container has to end by itself. */
const graceSeconds = 1;
/** @throws TwotokenError `precondition` where the engine cannot start it */
export async function startContainer(engine, { part, image, port, env, files, withoutHealthCheck = false }, { owner, network }) {
    const { docker, host, isLocal } = engine;
    const inside = `${port}/tcp`;
    const refused = (cause) => new TwotokenError('precondition', `the ${part}'s container (image ${image}) cannot be started: ${engineWords(cause)}; expected an image that runs: try it with "docker run ${image}"`, cause);
    const container = await docker
        .createContainer({
        name: `twotoken-${part}-${owner}`,
        Image: image,
        Env: Object.entries(env).map(([name, value]) => `${name}=${value}`),
        Labels: { [ownerLabel]: owner, 'org.twotoken.part': part },
        ExposedPorts: { [inside]: {} },
        ...(withoutHealthCheck ? { Healthcheck: { Test: ['NONE'] } } : {}),
        HostConfig: {
            NetworkMode: network.name,
            PortBindings: { [inside]: [{ HostIp: isLocal ? '127.0.0.1' : '', HostPort: '' }] },
            ExtraHosts: [`${hostName}:${network.hostAddress}`],
        },
    })
        .catch((cause) => Promise.reject(refused(cause)));
    const remove = async () => {
        await container.stop({ t: graceSeconds }).catch(() => undefined);
        await container.remove({ force: true, v: true }).catch(() => undefined);
    };
    try {
        await container.putArchive(tarOf(files), { path: '/' });
        await container.start();
        const { NetworkSettings } = await container.inspect();
        const published = NetworkSettings.Ports[inside]?.[0]?.HostPort ?? '';
        return {
            id: container.id,
            part,
            image,
            port,
            address: `${host}:${published}`,
            state: () => stateOf(engine, container.id),
            log: () => logOf(engine, container.id),
            [Symbol.asyncDispose]: remove,
        };
    }
    catch (cause) {
        await remove();
        throw refused(cause);
    }
}
async function stateOf({ docker }, id) {
    try {
        const { State } = await docker.getContainer(id).inspect();
        const { Status, ExitCode, OOMKilled, Health, Pid } = State;
        const isRunning = Status === 'running' || Status === 'paused' || Status === 'restarting';
        const why = OOMKilled ? ' for want of memory' : '';
        return {
            isRunning,
            text: isRunning ? Status : `ended with exit code ${ExitCode}${why}`,
            health: Health?.Status ?? 'none',
            pid: Pid,
        };
    }
    catch {
        return { isRunning: false, text: 'was removed', health: 'none', pid: 0 };
    }
}
