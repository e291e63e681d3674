declare const _default: import("../../src/check/check.ts").Check<"callingTokens" | "signaling">;
export default _default;
