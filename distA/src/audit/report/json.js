import { version } from '../../version.js';
/** The machine-readable report; other programs rely on its shape. */
export function renderJson({ audited, findings, gaps }) {
    const report = {
        tool: { name: 'twotoken', version },
        complete: gaps.length === 0,
        audited,
        findings,
        gaps,
    };
    return `${JSON.stringify(report, null, 2)}\n`;
}
