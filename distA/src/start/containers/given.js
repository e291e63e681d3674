/** A container's environment: what every container is given, and over it what the configuration says. */
export function environmentOf(given, wanted, placeholders) {
    const filled = Object.entries(wanted).map(([name, value]) => [
        name,
        value.replace(/\{(\w+)\}/g, (written, key) => Object.hasOwn(placeholders, key) ? placeholders[key] : written),
    ]);
    return { ...given, ...Object.fromEntries(filled) };
}
