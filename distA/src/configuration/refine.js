/** Adds a problem whose message is the whole sentence after the path, not what was expected. */
export function complain(context, path, sentence) {
    context.addIssue({ code: 'custom', path, message: sentence, params: { sentence: true } });
}
