/** Places for a credential, from the one where it leaks least to the one where every log keeps it. */
export const places = ['message', 'header', 'subprotocol', 'cookie', 'query'];
export function holdsToken({ template }) {
    return template.includes('{jwt}');
}
export function holdsUser({ template }) {
    return template.includes('{userId}');
}
/** What the draft sends; without a credential its pieces are left out, but a message has an empty one. */
export function offerOfDraft(url, { pieces, after }, { jwt, userId }, subprotocols) {
    const fill = (template) => template.replaceAll('{jwt}', () => jwt ?? '').replaceAll('{userId}', () => userId);
    const sent = pieces.filter((piece) => jwt !== null || !holdsToken(piece));
    const of = (place, from = sent) => from.filter((piece) => piece.in === place);
    const headers = of('header').map(({ name, template }) => [name, fill(template)]);
    const cookies = of('cookie').map(({ name, template }) => `${name}=${fill(template)}`);
    const address = new URL(url);
    for (const { name, template } of of('query'))
        address.searchParams.append(name, fill(template));
    const body = messageTemplate(pieces);
    const messages = body === null ? [] : [filledMessage(body, { jwt: jwt ?? '', userId })];
    const hello = helloTemplate(pieces);
    if (hello !== null)
        messages.push(filledMessage(hello, { jwt: jwt ?? '', userId }));
    return {
        url: address.href,
        headers: cookies.length === 0 ? headers : [...headers, ['Cookie', cookies.join('; ')]],
        protocols: [...new Set([...subprotocols, ...of('subprotocol').map(({ template }) => fill(template))])],
        messages,
        after,
    };
}
/** The template of the message that carries the token; null where none does. */
export function messageTemplate(pieces) {
    const text = pieces.find((piece) => piece.in === 'text');
    if (text !== undefined)
        return text.template;
    return jsonTemplate(pieces.filter((piece) => piece.in === 'field'));
}
/** The template of the message in which a client says who it is, after its token; null where it does not. */
export function helloTemplate(pieces) {
    return jsonTemplate(pieces.filter((piece) => piece.in === 'hello'));
}
function jsonTemplate(fields) {
    if (fields.length === 0)
        return null;
    const message = {};
    for (const { path, template } of fields)
        place(message, path, template);
    return JSON.stringify(message);
}
function place(message, [first = '', ...rest], value) {
    if (rest.length === 0) {
        message[first] = first === 'id' && value === '1' ? 1 : value;
        return;
    }
    const inner = message[first];
    const below = isObject(inner) ? inner : {};
    message[first] = below;
    place(below, rest, value);
}
function isObject(value) {
    return typeof value === 'object' && value !== null;
}
function filledMessage(template, values) {
    const escaped = (text) => JSON.stringify(text).slice(1, -1);
    return template
        .replaceAll('{jwt}', () => escaped(values.jwt))
        .replaceAll('{userId}', () => escaped(values.userId));
}
