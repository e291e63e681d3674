declare const _default: import("../../src/check/check.ts").Check<"backend" | "bob" | "signaling">;
export default _default;
