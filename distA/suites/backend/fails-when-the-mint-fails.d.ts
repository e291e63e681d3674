declare const _default: import("../../src/check/check.ts").Check<"backend" | "mintDouble">;
export default _default;
