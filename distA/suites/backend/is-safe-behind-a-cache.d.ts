declare const _default: import("../../src/check/check.ts").Check<"backend" | "bob">;
export default _default;
