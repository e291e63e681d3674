declare const _default: import("../../src/check/check.ts").Check<"mint" | "trialEndedKey">;
export default _default;
