export const roles = ['mint', 'backend', 'signaling', 'flow', 'client', 'bundle'];
/** Types the parts that `run` receives by what the check says it needs. */
export function defineCheck(check) {
    return check;
}
