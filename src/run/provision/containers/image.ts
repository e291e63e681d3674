import { TwotokenError } from '../../../base/errors.ts'
import { type Engine, engineWords } from './engine.ts'

/**
 * Sees to it that an image is there, and fetches it where it is not.
 * @throws TwotokenError `precondition` where it cannot be had
 */
export async function haveImage(engine: Engine, image: string, part: string): Promise<void> {
  if ((await idOf(engine, image)) !== null) return
  try {
    await followed(engine, await engine.docker.pull(image))
  } catch (cause) {
    throw new TwotokenError(
      'precondition',
      `the image ${image} for the ${part} is not on this machine and cannot be fetched (${engineWords(cause)}); expected one that exists: build it, or correct start.containers.${part}.image`,
      cause,
    )
  }
}

/** Null where the image is not on this machine. */
export async function idOf({ docker }: Engine, image: string): Promise<string | null> {
  return await docker
    .getImage(image)
    .inspect()
    .then(
      ({ Id }) => Id,
      (error: { statusCode?: number }) => {
        if (error.statusCode === 404) return null
        throw error
      },
    )
}

export interface WantedImage {
  readonly name: string
  /** The folder with the Dockerfile, and the files of it that the build may see. */
  readonly context: string
  readonly files: readonly string[]
  readonly target: string
  readonly buildArgs: Readonly<Record<string, string>>
}

/** @throws TwotokenError `precondition` with what the build said last */
export async function buildImage(engine: Engine, wanted: WantedImage): Promise<void> {
  const { name, context, files, target, buildArgs } = wanted
  try {
    const stream = await engine.docker.buildImage(
      { context, src: [...files] },
      { t: name, target, buildargs: buildArgs },
    )
    await followed(engine, stream)
  } catch (cause) {
    throw new TwotokenError(
      'precondition',
      `the image of the reference ${target} cannot be built: ${engineWords(cause)}; expected the base image to be there: name one with NODE_IMAGE`,
      cause,
    )
  }
}

/** Waits for the end of what an engine streams; rejects with the error in it. */
function followed({ docker }: Engine, stream: NodeJS.ReadableStream): Promise<void> {
  return new Promise((resolve, reject) => {
    docker.modem.followProgress(stream, (error: Error | null, lines: { error?: string }[] | null) => {
      const said = lines?.find((line) => line.error !== undefined)?.error
      if (error !== null) reject(error)
      else if (said !== undefined) reject(new Error(said))
      else resolve()
    })
  })
}
