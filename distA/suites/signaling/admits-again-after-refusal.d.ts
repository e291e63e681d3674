declare const _default: import("../../src/check/check.ts").Check<"mint" | "signaling">;
export default _default;
