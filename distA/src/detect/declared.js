import { holdsToken, holdsUser } from './draft.js';
import { shrunk } from './minimise.js';
import { probeWith } from './search.js';
import { isSuccess } from './separate.js';
/** Where the service looks for a userId beside the token: a good token is offered in somebody else's name. */
export async function declarationOf(minimal, { draft, separation }, searching) {
    if (minimal.pieces.some(holdsUser))
        return { pieces: [], how: 'needed' };
    const stated = draft.pieces.filter((piece) => holdsUser(piece) && !holdsToken(piece));
    if (stated.length === 0)
        return { pieces: [], how: 'not looked at' };
    const { supply, baseline } = searching;
    const stranger = supply.garbage().userId;
    const offered = async (pieces, foreign) => {
        const { jwt, userId } = await supply.fresh();
        const credential = { jwt, userId: foreign ? stranger : userId };
        const joined = { ...minimal, pieces: [...minimal.pieces, ...pieces] };
        return await probeWith(joined, credential, searching, baseline.windowMs);
    };
    if (!isSuccess(separation, await offered(stated, false)))
        return { pieces: [], how: 'not looked at' };
    const foreign = await offered(stated, true);
    if (!isSuccess(separation, foreign)) {
        const compared = async (some) => !isSuccess(separation, await offered(some, true));
        return { pieces: await shrunk(stated, compared), how: 'compared' };
    }
    const isNamed = (frames) => frames.some((frame) => frame.includes(stranger));
    if (!isNamed(foreign.frames))
        return { pieces: [], how: 'not looked at' };
    const believed = async (some) => isNamed((await offered(some, true)).frames);
    return { pieces: await shrunk(stated, believed), how: 'believed' };
}
