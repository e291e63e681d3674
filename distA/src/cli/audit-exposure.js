// dist/src/audit/formats/exposure.js
/** A file that should not ship, whatever it holds. */
function exposed(audit, location, format, what) {
	audit.collector.report({
		rule: "AUD-030",
		kind: "exposure",
		level: "note",
		location,
		format,
		decoder: "content",
		offset: 0,
		secret: location,
		show: what
	});
}
export { exposed as t };
