import { built } from '../../../fixtures/built.ts'
import { contentOf, referencePorts } from '../../../fixtures/images/reference.ts'
import { TwotokenError } from '../../base/errors.ts'
import type { Configuration, StartContainer } from '../../configuration/configuration.ts'
import { runAll } from './concurrency.ts'
import type { ChosenPart } from './engine/container.ts'
import { describeEngineError, type Engine } from './engine/engine.ts'

const parts = ['mint', 'backend', 'signaling'] as const
type Part = ChosenPart['part']

export interface ContainerOptions {
  readonly containers: Readonly<Partial<Record<Part, StartContainer>>>
  readonly readyTimeoutSeconds: number
  readonly baseImage: string
  readonly signal: AbortSignal
  readonly onProgress: (line: string) => void
}

/** Chooses the parts in containers: those with an image in the file, and the reference for those that it does not describe. */
export async function chooseParts(
  engine: Engine,
  base: Configuration,
  { containers, baseImage, onProgress }: ContainerOptions,
): Promise<ChosenPart[]> {
  const given = parts.flatMap((part) => {
    const container = containers[part]
    return container === undefined ? [] : [{ part, isReference: false, ...container }]
  })
  const reference = parts.filter((part) => containers[part] === undefined && base[part] === undefined)
  await runAll(given, ({ image, part }) => pullImage(engine, image, part))
  const tag = reference.length === 0 ? '' : await buildReference(engine, reference, { baseImage, onProgress })
  return [
    ...given,
    ...reference.map((part) => ({
      part,
      image: imageName(part, tag),
      port: referencePorts[part],
      env: {},
      capabilities: [],
      // Each is one small program.
      memoryMegabytes: 512,
      isReference: true,
    })),
  ]
}

/** Returns the tag of the images; throws `precondition` with the error of the build. */
async function buildReference(
  engine: Engine,
  parts: readonly Part[],
  { baseImage, onProgress }: Pick<ContainerOptions, 'baseImage' | 'onProgress'>,
): Promise<string> {
  const folder = built('images')
  const { files, tag } = await contentOf(folder, baseImage + ((await findImageId(engine, baseImage)) ?? ''))
  const missing: Part[] = []
  for (const part of parts) if ((await findImageId(engine, imageName(part, tag))) === null) missing.push(part)
  if (missing.length > 0) onProgress(`building the reference images ${missing.join(', ')}`)
  for (const part of missing)
    try {
      const stream = await engine.docker.buildImage(
        { context: folder, src: files },
        { t: imageName(part, tag), target: part, buildargs: { NODE_IMAGE: baseImage } },
      )
      await followProgress(engine, stream)
    } catch (cause) {
      throw new TwotokenError(
        'precondition',
        `the image of the reference ${part} cannot be built: ${describeEngineError(cause)}: set NODE_IMAGE to a base image that exists`,
        cause,
      )
    }
  return tag
}

function imageName(part: Part, tag: string): string {
  return `twotoken-reference/${part}:${tag}`
}

/** Pulls an image that is not on this machine; throws `precondition` where the engine cannot. */
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
