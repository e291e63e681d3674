export type SecretEncoding = 'plain' | 'percent-encoded' | 'hexadecimal' | 'base64';
/** In which form a text holds a secret, or `null`. Base64 is found at every alignment, in either alphabet. */
export declare function secretIn(text: string, secret: string): SecretEncoding | null;
