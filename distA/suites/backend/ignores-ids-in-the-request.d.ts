declare const _default: import("../../src/check/check.ts").Check<"backend" | "bob" | "mintDouble">;
export default _default;
