/** The userId that the double made this token for; `null` where it made none such in this turn. */
export function mintedFor(double, jwt) {
    return double.calls().find(({ issued }) => issued === jwt)?.userId ?? null;
}
