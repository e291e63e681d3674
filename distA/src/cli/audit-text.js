import { t as ruleTexts } from "./audit-rules.js";
// dist/src/audit/report/text.js
/** For people: findings by rule with what to do, then what was not audited, then what was. */
function renderText({ audited, findings, gaps }) {
	const lines = [];
	for (const level of [
		"error",
		"warning",
		"note"
	]) {
		const ofLevel = findings.filter((finding) => finding.level === level);
		for (const rule of [...new Set(ofLevel.map((finding) => finding.rule))].sort()) {
			const group = ofLevel.filter((finding) => finding.rule === rule);
			lines.push(`${level} ${rule}: ${ruleTexts[rule]?.title ?? ""}`, ...group.map(lineOf));
			lines.push(`  → ${ruleTexts[rule]?.advice ?? ""}`, "");
		}
	}
	for (const rule of [...new Set(gaps.map((gap) => gap.rule))].sort()) {
		lines.push(`gap ${rule}: ${ruleTexts[rule]?.title ?? ""}`);
		for (const gap of gaps) if (gap.rule === rule) lines.push(`  ${gap.location}: ${gap.reason}`);
		lines.push(`  → ${ruleTexts[rule]?.advice ?? ""}`, "");
	}
	for (const { path, entries, bytes, durationMs } of audited) lines.push(`audited ${path}: ${counted(entries, "file")}, ${counted(bytes, "byte")}, ${durationMs} ms`);
	const count = (wanted) => findings.filter(({ level }) => level === wanted).length;
	lines.push([
		counted(count("error"), "error"),
		counted(count("warning"), "warning"),
		counted(count("note"), "note"),
		counted(gaps.length, "gap")
	].join(", "));
	return `${lines.join("\n")}\n`;
}
function lineOf({ location, line, offset, shown, format, decoder, fingerprint, extent }) {
	return `  ${location} (${line === void 0 ? `byte ${offset}` : `line ${line}`}; ${format}, ${decoder}${extent === void 0 ? "" : ", extent uncertain"}): ${shown}  ${fingerprint}`;
}
function counted(count, what) {
	return `${count} ${what}${count === 1 ? "" : "s"}`;
}
export { renderText };
