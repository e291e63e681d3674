import { createInflater } from './containers/inflater.js';
import { createJwtJudge } from './jwt.js';
import { defaultLeastSuffix, defaultPrefix } from './key-shape.js';
import { createNameCleaner } from './location.js';
import { createProgress } from './progress.js';
import { createRepeats } from './repeats.js';
import { createCollector } from './report-to.js';
import { escapedPattern, needlesFor } from './scan/needles.js';
import { createSearcher } from './scan/search.js';
import { defaultLimits } from './settings.js';
export const nothingSpent = { entries: 0, bytes: 0, opened: 0, inflated: 0, allowed: 0 };
export function createAudit(settings) {
    const { onProgress = () => { } } = settings;
    const { prefix = defaultPrefix, leastSuffix = defaultLeastSuffix, mintHost, like = [] } = settings;
    const withoutSecrets = createNameCleaner(prefix);
    return {
        collector: createCollector(prefix),
        searcher: createSearcher(needlesFor(prefix), prefix),
        repeats: createRepeats(),
        inflater: createInflater(),
        ahead: { bytes: 0 },
        progress: createProgress((location, bytes) => onProgress(withoutSecrets(location), bytes)),
        prefix,
        leastSuffix,
        escaped: escapedPattern(prefix),
        mintHost,
        jwts: createJwtJudge(like, settings.nowSeconds ?? (() => Date.now() / 1000)),
        limits: { ...defaultLimits, ...settings.limits },
        spent: { ...nothingSpent },
    };
}
