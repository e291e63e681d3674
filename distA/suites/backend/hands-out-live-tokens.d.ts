declare const _default: import("../../src/check/check.ts").Check<"backend" | "expiry" | "mintDouble">;
export default _default;
