/** The headers as they came, names in lower case. */
export function pairsOf(raw) {
    const list = [];
    for (let index = 0; index + 1 < raw.length; index += 2)
        list.push([(raw[index] ?? '').toLowerCase(), raw[index + 1] ?? '']);
    return list;
}
export async function bodyOf(request, limit) {
    const chunks = [];
    let size = 0;
    for await (const chunk of request) {
        size += chunk.byteLength;
        if (size > limit)
            throw new Error('the backend sent a body over the limit');
        chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString('utf8');
}
export function parsedJson(text) {
    try {
        return JSON.parse(text);
    }
    catch {
        return undefined;
    }
}
