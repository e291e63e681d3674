import { join } from 'node:path';
/** A stack whose build artefact is one of the samples. */
export function sample(name) {
    const path = join(import.meta.dirname, '../../fixtures/bundles', name);
    return { configuration: { bundle: { paths: [path], mintHost: 'api.acme.example' } } };
}
