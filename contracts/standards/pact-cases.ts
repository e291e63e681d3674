import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** An interaction of a committed pact, as far as the documents use it. */
export type PactCase = Awaited<ReturnType<typeof readPactCases>>[number]

interface Body {
  readonly content: unknown
  readonly encoded: false | string
}

interface PactFile {
  readonly consumer: { readonly name: string }
  readonly provider: { readonly name: string }
  readonly interactions: readonly {
    readonly description: string
    readonly request: { readonly method: string; readonly path: string; readonly body?: Body }
    readonly response: {
      readonly status: number
      readonly headers?: Readonly<Record<string, readonly string[]>>
      readonly body?: Body
    }
  }[]
}

/** Reads the cases that the consumers have agreed on, in the order of the files. `received` is null where the body is open. */
export async function readPactCases(folder: string) {
  const names = (await readdir(folder)).toSorted()
  const pacts = await Promise.all(
    names.map(async (name): Promise<PactFile> => JSON.parse(await readFile(join(folder, name), 'utf8'))),
  )
  return pacts.flatMap(({ consumer, provider, interactions }) =>
    interactions.map(({ description, request, response }) => ({
      consumer: consumer.name,
      provider: provider.name,
      title: description,
      method: request.method.toLowerCase(),
      path: request.path,
      status: response.status,
      sent: request.body?.content,
      received:
        response.body === undefined
          ? null
          : { contentType: response.headers?.['Content-Type']?.[0] ?? '', content: plain(response.body) },
    })),
  )
}

function plain({ content, encoded }: Body): unknown {
  return encoded === 'base64' ? Buffer.from(String(content), 'base64').toString('utf8') : content
}
