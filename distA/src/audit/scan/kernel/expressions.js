/** Reads S-expressions with `;;` comments. @throws Error where a parenthesis has no other */
export function readExpressions(source) {
    const outermost = [];
    const open = [outermost];
    for (const [token] of source.replace(/;;.*/g, '').matchAll(/[()]|"[^"]*"|[^\s()"]+/g)) {
        if (token === ')') {
            open.pop();
        }
        else if (token === '(') {
            const list = [];
            open.at(-1)?.push(list);
            open.push(list);
        }
        else
            open.at(-1)?.push(token);
    }
    if (open.length !== 1)
        throw new Error('a parenthesis has no other');
    return outermost;
}
