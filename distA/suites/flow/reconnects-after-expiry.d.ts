declare const _default: import("../../src/check/check.ts").Check<"backend" | "expiry" | "signaling">;
export default _default;
