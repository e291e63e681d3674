import { join } from 'node:path'
import { bundleImages } from '../../../fixtures/images/bundle.ts'
import { contentOf, referencePorts } from '../../../fixtures/images/reference.ts'
import type { Configuration } from '../../configuration/configuration.ts'
import type { Engine } from './containers/engine.ts'
import { buildImage, haveImage, idOf } from './containers/image.ts'
import { all, type Chosen, type ContainerOptions, type Part } from './parts.ts'
import { everyOne } from './together.ts'

/**
 * The parts that run in containers, once their images are there: those that the configuration gives an image for, and
 * the reference in place of those that it does not describe at all.
 */
export async function chosenParts(
  engine: Engine,
  base: Configuration,
  { containers, baseImage, say }: ContainerOptions,
  folder: string,
): Promise<Chosen[]> {
  const given = all.flatMap((part) => {
    const container = containers[part]
    return container === undefined ? [] : [{ part, isReference: false, ...container }]
  })
  const reference = all.filter((part) => containers[part] === undefined && base[part] === undefined)
  const build = async () =>
    reference.length === 0
      ? ''
      : await buildReference(engine, reference, join(folder, 'images'), { baseImage, say })
  const fetches = given.map(({ image, part }) => async () => {
    await haveImage(engine, image, part)
    return ''
  })
  const built = (await everyOne([...fetches, build], (task) => task())).at(-1) ?? ''
  return [
    ...given,
    ...reference.map((part) => ({
      part,
      image: imageName(part, built),
      port: referencePorts[part],
      env: {},
      isReference: true,
    })),
  ]
}

/** Returns the tag of the images. The folder keeps what they were built from: the app's artefacts are audited there. */
async function buildReference(
  engine: Engine,
  parts: readonly Part[],
  folder: string,
  { baseImage, say }: Pick<ContainerOptions, 'baseImage' | 'say'>,
): Promise<string> {
  await bundleImages(folder)
  const { files, tag } = await contentOf(folder, baseImage + ((await idOf(engine, baseImage)) ?? ''))
  const missing: Part[] = []
  for (const part of parts) if ((await idOf(engine, imageName(part, tag))) === null) missing.push(part)
  if (missing.length > 0) say(`building the images of the reference ${missing.join(', ')}`)
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
