/**
 * The JSON Schema of `twotoken.yaml` for editors. Run as a script it writes `schema/twotoken.schema.json`; a test holds
 * the committed file to it.
 */
export declare function configurationJsonSchema(): Readonly<Record<string, unknown>>;
