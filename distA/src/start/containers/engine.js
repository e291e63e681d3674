import { TwotokenError } from '../../errors.js';
import { isOwnAddress } from './own-address.js';
/**
 * Finds the engine as testcontainers does: `DOCKER_HOST`, the usual sockets, a rootless one. Its client is used, not its
 * `GenericContainer`: that one publishes ports on every address of the machine, and needs a helper image to clean up.
 * @throws TwotokenError `precondition` where none answers
 */
export async function connectEngine() {
    const { getContainerRuntimeClient } = await import('testcontainers');
    try {
        const { container, info } = await getContainerRuntimeClient();
        const { host } = info.containerRuntime;
        // In a container, testcontainers names the bridge's gateway; an engine in the same container has it as its own.
        const isLocal = await isOwnAddress(host);
        return { docker: container.dockerode, host: isLocal ? '127.0.0.1' : host, isLocal };
    }
    catch (cause) {
        throw new TwotokenError('precondition', 'no container engine answers; expected a running one: install Docker Engine (on Debian and Ubuntu "apt install docker.io"), Docker Desktop or Podman, and start it, or name its address in DOCKER_HOST', cause);
    }
}
/** What an engine says when it refuses, without its status line. */
export function engineWords(error) {
    const said = error.json?.message;
    const text = typeof said === 'string' ? said : error instanceof Error ? error.message : String(error);
    return text.replace(/\s+/g, ' ').trim().slice(0, 400);
}
