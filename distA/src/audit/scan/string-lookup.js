const maxSteps = 20_000_000;
/** Strings may overlap, and a hostile table may have all of them overlap: what a whole file costs is bounded. */
export function lookup({ extents, regions }) {
    const sorted = [...extents].sort((a, b) => a.start - b.start);
    const reach = new Float64Array(sorted.length);
    for (const [at, { end }] of sorted.entries())
        reach[at] = Math.max(end, reach[at - 1] ?? 0);
    let steps = 0;
    return (start, end, view) => {
        const found = [];
        let isMisread = false;
        const beside = [];
        const isCovered = regions.some((region) => region.start <= start && end <= region.end);
        for (let at = countUntil(sorted, end - 1) - 1; at >= 0 && (reach[at] ?? 0) > start; at--) {
            const extent = sorted[at];
            steps += 1;
            if (extent === undefined || extent.end <= start)
                continue;
            const isWhole = extent.start <= start && extent.end >= end;
            if (isWhole)
                found.push(extent);
            isMisread ||= isWhole && isWide(extent.view) && isWide(view);
            if (isCovered && isWide(extent.view) === isWide(view))
                beside.push(extent);
        }
        steps += regions.length;
        if (steps > maxSteps)
            return null;
        return { extents: found.reverse(), isTorn: isCoveredBy(beside, start, end), isMisread };
    };
}
function isCoveredBy(extents, start, end) {
    let open = end;
    for (const extent of extents.toSorted((a, b) => b.end - a.end))
        if (extent.end >= open)
            open = Math.min(open, extent.start);
    return open <= start;
}
/** The zero before a string in little endian makes it look like one in big endian. */
function isWide(view) {
    return view !== 'utf-8';
}
/** How many strings begin at or before an offset. */
function countUntil(sorted, offset) {
    let low = 0;
    let high = sorted.length;
    while (low < high) {
        const middle = (low + high) >>> 1;
        if ((sorted[middle]?.start ?? 0) <= offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
