import { t as ruleTexts } from "./audit-rules.js";
// dist/src/audit/report/junit.js
/** One test case for each finding and each gap, or a single passing one. */
function renderJunit({ audited, findings, gaps }) {
	const failed = findings.filter(({ level }) => level === "error").length;
	const cases = [...findings.map(({ rule, level, location, shown, fingerprint }) => {
		const text = escaped(`${ruleTexts[rule]?.title ?? rule}: ${shown} (${fingerprint})`);
		const inner = level === "error" ? `<failure message="${text}"/>` : `<system-out>${text}</system-out>`;
		return `<testcase classname="${rule}" name="${escaped(location)}">${inner}</testcase>`;
	}), ...gaps.map(({ rule, location, reason }) => `<testcase classname="${rule}" name="${escaped(location)}"><skipped message="${escaped(reason)}"/></testcase>`)];
	if (cases.length === 0) cases.push(...audited.map(({ path }) => `<testcase classname="audit" name="${escaped(path)}"/>`));
	const seconds = audited.reduce((sum, { durationMs }) => sum + durationMs, 0) / 1e3;
	return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites><testsuite name="twotoken audit" ${`tests="${cases.length}" failures="${failed}" skipped="${gaps.length}" time="${seconds}"`}>\n${[`<properties>${audited.map(({ path, entries, bytes }) => `<property name="audited ${escaped(path)}" value="${entries} files, ${bytes} bytes"/>`).join("")}</properties>`, ...cases].join("\n")}\n</testsuite></testsuites>\n`;
}
var entities = {
	"&": "&amp;",
	"<": "&lt;",
	">": "&gt;",
	"\"": "&quot;",
	"'": "&#39;"
};
/** For an attribute; what XML has no way to write is left out. */
function escaped(text) {
	return text.replace(/[\ufffe\uffff]|[\p{Cs}\p{Cc}]/gu, "").replace(/[&<>"']/g, (char) => entities[char] ?? "");
}
export { renderJunit };
