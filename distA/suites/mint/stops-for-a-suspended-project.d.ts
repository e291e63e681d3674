declare const _default: import("../../src/check/check.ts").Check<"mint" | "suspendedKey">;
export default _default;
