/** The value of a header, the first where there are several; `undefined` where there is none. */
export function headerOf(headers, name) {
    return headers.find(([key]) => key.toLowerCase() === name)?.[1];
}
