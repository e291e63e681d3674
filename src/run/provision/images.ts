import { join } from 'node:path'
import { bundleImages } from '../../../fixtures/images/bundle.ts'
import { contentOf, referencePorts } from '../../../fixtures/images/reference.ts'
import { TwotokenError } from '../../base/errors.ts'
import type { Configuration, StartConfiguration, StartContainer } from '../../configuration/configuration.ts'
import { runAll } from './concurrency.ts'
import type { ContainerLimits } from './engine/container-limits.ts'
import { describeEngineError, type Engine } from './engine/engine.ts'

const parts = ['mint', 'backend', 'signaling'] as const
export type Part = (typeof parts)[number]

export interface ContainerOptions {
  readonly containers: Readonly<Partial<Record<Part, StartContainer>>>
  readonly readyTimeoutSeconds: StartConfiguration['readyTimeoutSeconds']
  readonly baseImage: string
  readonly signal: AbortSignal
  readonly onProgress: (line: string) => void
}

/** One part that runs in a container: the user's image, or the reference's. */
export interface ChosenPart {
  readonly part: Part
  readonly image: string
  readonly port: number
  readonly env: Readonly<Record<string, string>>
  readonly health?: string | undefined
  readonly limits: ContainerLimits
  readonly isReference: boolean
}

/** A part of the reference is one small program. */
const referenceLimits: ContainerLimits = { capabilities: [], memoryMegabytes: 512 }

/**
 * Chooses the parts that run in containers, and pulls or builds their images: those for which the configuration names an
 * image, and the reference in place of those that it does not describe at all.
 */
export async function chooseParts(
  engine: Engine,
  base: Configuration,
  { containers, baseImage, onProgress }: ContainerOptions,
  folder: string,
): Promise<ChosenPart[]> {
  const given = parts.flatMap((part) => {
    const container = containers[part]
    if (container === undefined) return []
    const { capabilities, memoryMegabytes, ...given } = container
    return [{ part, isReference: false, ...given, limits: { capabilities, memoryMegabytes } }]
  })
  const reference = parts.filter((part) => containers[part] === undefined && base[part] === undefined)
  const build = async () =>
    reference.length === 0
      ? ''
      : await buildReference(engine, reference, join(folder, 'images'), { baseImage, onProgress })
  const fetches = given.map(({ image, part }) => async () => {
    await pullImage(engine, image, part)
    return ''
  })
  const built = (await runAll([...fetches, build], (task) => task())).at(-1) ?? ''
  return [
    ...given,
    ...reference.map((part) => ({
      part,
      image: imageName(part, built),
      port: referencePorts[part],
      env: {},
      limits: referenceLimits,
      isReference: true,
    })),
  ]
}

/** Returns the tag of the images. The sources stay in the folder: the artefacts of the app are audited there. */
async function buildReference(
  engine: Engine,
  parts: readonly Part[],
  folder: string,
  { baseImage, onProgress }: Pick<ContainerOptions, 'baseImage' | 'onProgress'>,
): Promise<string> {
  await bundleImages(folder)
  const { files, tag } = await contentOf(folder, baseImage + ((await findImageId(engine, baseImage)) ?? ''))
  const missing: Part[] = []
  for (const part of parts) if ((await findImageId(engine, imageName(part, tag))) === null) missing.push(part)
  if (missing.length > 0) onProgress(`building the reference images ${missing.join(', ')}`)
  for (const part of missing)
    await buildImage(engine, {
      name: imageName(part, tag),
      context: folder,
      files,
      target: part,
      buildArgs: { NODE_IMAGE: baseImage },
    })
  return tag
}

function imageName(part: Part, tag: string): string {
  return `twotoken-reference/${part}:${tag}`
}

/**
 * Pulls an image that is not on this machine.
 * @throws TwotokenError `precondition` where the engine cannot pull it
 */
async function pullImage(engine: Engine, image: string, part: string): Promise<void> {
  if ((await findImageId(engine, image)) !== null) return
  try {
    await followProgress(engine, await engine.docker.pull(image))
  } catch (cause) {
    throw new TwotokenError(
      'precondition',
      `the image ${image} for the ${part} is not on this machine and cannot be pulled (${describeEngineError(cause)}): build it, or correct start.containers.${part}.image`,
      cause,
    )
  }
}

/** Null where the image is not on this machine. */
async function findImageId({ docker }: Engine, image: string): Promise<string | null> {
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

interface WantedImage {
  readonly name: string
  /** The folder with the Dockerfile, and the files of it that the build may see. */
  readonly context: string
  readonly files: readonly string[]
  readonly target: string
  readonly buildArgs: Readonly<Record<string, string>>
}

/** @throws TwotokenError `precondition` with the error of the build */
async function buildImage(engine: Engine, wanted: WantedImage): Promise<void> {
  const { name, context, files, target, buildArgs } = wanted
  try {
    const stream = await engine.docker.buildImage(
      { context, src: [...files] },
      { t: name, target, buildargs: buildArgs },
    )
    await followProgress(engine, stream)
  } catch (cause) {
    throw new TwotokenError(
      'precondition',
      `the image of the reference ${target} cannot be built: ${describeEngineError(cause)}: set NODE_IMAGE to a base image that exists`,
      cause,
    )
  }
}

/** Waits for the end of a stream of the engine; rejects with the error in it. */
function followProgress({ docker }: Engine, stream: NodeJS.ReadableStream): Promise<void> {
  return new Promise((resolve, reject) => {
    docker.modem.followProgress(stream, (error: Error | null, lines: { error?: string }[] | null) => {
      const failure = lines?.find((line) => line.error !== undefined)?.error
      if (error !== null) reject(error)
      else if (failure !== undefined) reject(new Error(failure))
      else resolve()
    })
  })
}
