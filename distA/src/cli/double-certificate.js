import { join } from 'node:path';
import { createServerCertificate } from '../tls/certificates.js';
import { writeFileWhole } from './write-file.js';
/** The backend under test has to trust the double's authority, so its file is named before anything is asked. */
export async function certificateOfDouble({ backend }, out, stderr) {
    const { fakeMint } = backend ?? {};
    if (fakeMint?.tls !== true)
        return {};
    const { ca, ...doubleCertificate } = createServerCertificate({ names: [fakeMint.host] });
    const file = join(out, 'mint-double-ca.pem');
    await writeFileWhole(file, ca);
    stderr.write(`the mint double's certificate is signed by ${file}\n`);
    return { doubleCertificate };
}
