declare const _default: import("../../src/check/check.ts").Check<"callingTokens" | "expiry" | "mint" | "signaling">;
export default _default;
