import { join } from 'node:path'
import { createServerCertificate, type ServerCertificate } from '../base/tls/certificates.ts'
import { writeFileWhole } from '../base/write-file.ts'
import type { Configuration } from '../configuration/configuration.ts'

/** The backend under test has to trust the double's authority, so its file is named before anything is asked. */
export async function certificateOfDouble(
  { backend }: Configuration,
  out: string,
  stderr: { write(text: string): unknown },
): Promise<{ doubleCertificate?: ServerCertificate }> {
  const { fakeMint } = backend ?? {}
  if (fakeMint?.tls !== true) return {}
  const { ca, ...doubleCertificate } = createServerCertificate({ names: [fakeMint.host] })
  const file = join(out, 'mint-double-ca.pem')
  await writeFileWhole(file, ca)
  stderr.write(`the mint double's certificate is signed by ${file}\n`)
  return { doubleCertificate }
}
