import { clauseText, sentenceOf } from './groups.js';
const commands = {
    fail: 'error',
    error: 'error',
    warn: 'warning',
    untested: 'notice',
};
/** Annotations of a GitHub Actions job: one workflow command per finding, and per reason why something was not judged. */
export function renderGithub(run) {
    return run.checks.map(annotationsOf).join('');
}
function annotationsOf(check) {
    const { id, verdict, reason, findings, clauses, waived } = check;
    const command = commands[verdict];
    if (command === undefined)
        return '';
    const own = findings.filter((finding) => commands[finding.verdict] !== undefined);
    const texts = own.length > 0 ? own.map(({ message }) => message) : [reason ?? verdict];
    const because = waived && own.length > 0 ? `; ${reason}` : '';
    const title = property(`${id} ${sentenceOf(check)}`);
    return texts
        .map((text) => `::${command} title=${title}::${data(`${text} (${clauseText(clauses)})${because}`)}\n`)
        .join('');
}
/** Text behind the second `::` of a workflow command. */
function data(text) {
    return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
function property(text) {
    return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
