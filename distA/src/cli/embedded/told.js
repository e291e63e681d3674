import { statementsOf } from '../../reports/groups.js';
const kinds = {
    fail: 'failed',
    error: 'failed',
    untested: 'untested',
    warn: 'remark',
    'not-applicable': 'remark',
    info: 'held',
    pass: 'held',
};
/** A verdict as a test runner can say it: a test passes, fails, or was not run. */
export function toldInATest(result) {
    const { id, verdict } = result;
    return { kind: kinds[verdict], text: `${id}: ${statementsOf(result).join('; ') || verdict}` };
}
