declare const _default: import("../../src/check/check.ts").Check<"expiry" | "mint" | "signaling">;
export default _default;
