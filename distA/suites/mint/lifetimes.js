/** Claims have whole seconds; the `Date` header has, too, and is written at another moment than `iat`. */
const slackSeconds = { byClaims: 1, byClock: 4 };
const nearSeconds = 60;
/** `measured` is sorted by what was asked. */
export function explained(measured, reading) {
    const sorted = [...measured].sort((a, b) => a.asked - b.asked);
    const points = pointsOf(sorted, reading);
    const saw = `${points.map(({ asked, granted }) => `${Math.round(granted)} s for ${asked}`).join(', ')}${refusals(sorted)}`;
    const fits = (slack) => hasOneRange(points, slack) && !isConstant(points, slack) && refusesOutsideOnly(sorted);
    const slack = slackSeconds[reading];
    const fit = fits(slack) ? 'exact' : fits(nearSeconds) ? 'near' : 'none';
    const longer = points.filter(({ asked, granted }) => granted > asked + slack);
    const shorter = points.filter(({ asked, granted }) => granted < asked - slack);
    return { fit, floor: rounded(longer[0]), ceiling: rounded(shorter[0]), saw };
}
/** Whether, in each of the readings, every lifetime granted is the same. */
export function areAlike(measured, readings) {
    return readings.some((reading) => isConstant(pointsOf(measured, reading), slackSeconds[reading]));
}
/** Those that got more than they asked got the floor, and those that got less the ceiling. */
function hasOneRange(points, slack) {
    const longer = points.filter(({ asked, granted }) => granted > asked + slack);
    const shorter = points.filter(({ asked, granted }) => granted < asked - slack);
    const floor = longer[0]?.granted ?? Number.NEGATIVE_INFINITY;
    const ceiling = shorter[0]?.granted ?? Number.POSITIVE_INFINITY;
    return (isConstant(longer, slack) &&
        isConstant(shorter, slack) &&
        floor <= ceiling + slack &&
        points.every(({ granted }) => granted >= floor - slack && granted <= ceiling + slack));
}
function isConstant(points, slack) {
    const lifetimes = points.map(({ granted }) => granted);
    return points.length === 0 || Math.max(...lifetimes) - Math.min(...lifetimes) <= slack;
}
/** A range may be enforced by refusing: then nothing between two granted values is refused. */
function refusesOutsideOnly(sorted) {
    const isGranted = sorted.map(({ lifetime }) => lifetime !== null);
    return isGranted.slice(isGranted.indexOf(true), isGranted.lastIndexOf(true) + 1).every(Boolean);
}
function refusals(sorted) {
    const refused = sorted.filter(({ lifetime }) => lifetime === null).map(({ asked }) => asked);
    return refused.length === 0 ? '' : `, and ${refused.join(', ')} refused`;
}
function pointsOf(measured, reading) {
    return measured.flatMap(({ asked, lifetime }) => {
        const granted = lifetime?.[reading];
        return granted == null ? [] : [{ asked, granted }];
    });
}
function rounded(point) {
    return point === undefined ? null : Math.round(point.granted);
}
