import { GivenUp } from './budget.js';
/**
 * Tries the profile with the driver that judges by it: good tokens, garbage, a damaged token and none, in turn. A
 * profile that decides any of them wrongly is worth nothing.
 * @throws GivenUp
 */
export async function confirmed(driver, supply) {
    const accepted = [];
    const refused = [];
    const tried = async (what, token, userId) => {
        const made = await driver.attempt({ token, declaredUser: userId });
        if (made.outcome === 'accepted')
            await made.socket[Symbol.asyncDispose]();
        return { ...made, what };
    };
    const mustAccept = async () => {
        const { jwt, userId } = await supply.fresh();
        const made = await tried('a fresh token', jwt, userId);
        if (made.outcome !== 'accepted')
            throw doubt(made.what, made.summary);
        accepted.push(made.exchange);
    };
    const mustRefuse = async (what, token, userId) => {
        const made = await tried(what, token, userId);
        if (made.outcome === 'accepted')
            throw doubt(what, made.summary);
        refused.push(made.exchange);
    };
    const garbage = () => supply.garbage();
    await mustAccept();
    await mustRefuse('garbage', garbage().jwt, garbage().userId);
    await mustAccept();
    await mustRefuse('a word', 'garbage', garbage().userId);
    await mustRefuse('no credential', null, garbage().userId);
    await mustAccept();
    const damaged = await supply.tampered();
    const made = await tried('a damaged token', damaged.jwt, damaged.userId);
    refused.push(...(made.outcome === 'refused' ? [made.exchange] : []));
    await mustAccept();
    await mustRefuse('garbage', garbage().jwt, garbage().userId);
    return { accepted, refused, letsDamagedIn: made.outcome === 'accepted' };
}
function doubt(what, summary) {
    return new GivenUp(`the profile that was found did not hold: offered ${what}, signaling ${summary}`);
}
