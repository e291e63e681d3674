import { join } from 'node:path';
import { bundleImages } from '../../../fixtures/images/bundle.js';
import { contentOf, referencePorts } from '../../../fixtures/images/reference.js';
import { buildImage, haveImage, idOf } from '../../start/containers/image.js';
import { all } from './parts.js';
import { everyOne } from './together.js';
/**
 * The parts that run in containers, once their images are there: those that the configuration gives an image for, and
 * the reference in place of those that it does not describe at all.
 */
export async function chosenParts(engine, base, { containers, baseImage, say }, folder) {
    const given = all.flatMap((part) => {
        const container = containers[part];
        return container === undefined ? [] : [{ part, isReference: false, ...container }];
    });
    const reference = all.filter((part) => containers[part] === undefined && base[part] === undefined);
    const build = async () => reference.length === 0
        ? ''
        : await buildReference(engine, reference, join(folder, 'images'), { baseImage, say });
    const fetches = given.map(({ image, part }) => async () => {
        await haveImage(engine, image, part);
        return '';
    });
    const built = (await everyOne([...fetches, build], (task) => task())).at(-1) ?? '';
    return [
        ...given,
        ...reference.map((part) => ({
            part,
            image: imageName(part, built),
            port: referencePorts[part],
            env: {},
            isReference: true,
        })),
    ];
}
/** Returns the tag of the images. The folder keeps what they were built from: the app's artefacts are audited there. */
async function buildReference(engine, parts, folder, { baseImage, say }) {
    await bundleImages(folder);
    const { files, tag } = await contentOf(folder, baseImage + ((await idOf(engine, baseImage)) ?? ''));
    const missing = [];
    for (const part of parts)
        if ((await idOf(engine, imageName(part, tag))) === null)
            missing.push(part);
    if (missing.length > 0)
        say(`building the images of the reference ${missing.join(', ')}`);
    for (const part of missing)
        await buildImage(engine, {
            name: imageName(part, tag),
            context: folder,
            files,
            target: part,
            buildArgs: { NODE_IMAGE: baseImage },
        });
    return tag;
}
function imageName(part, tag) {
    return `twotoken-reference/${part}:${tag}`;
}
