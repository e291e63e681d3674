import { version } from "../version.js";
// dist/src/audit/report/json.js
/** The machine-readable report; other programs rely on its shape. */
function renderJson({ audited, findings, gaps }) {
	const report = {
		tool: {
			name: "twotoken",
			version
		},
		complete: gaps.length === 0,
		audited,
		findings,
		gaps
	};
	return `${JSON.stringify(report, null, 2)}\n`;
}
export { renderJson };
