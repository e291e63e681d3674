/** A file that should not ship, whatever it holds. */
export function exposed(audit, location, format, what) {
    const decoder = 'content';
    audit.collector.report({
        rule: 'AUD-030',
        kind: 'exposure',
        level: 'note',
        location,
        format,
        decoder,
        offset: 0,
        secret: location,
        show: what,
    });
}
