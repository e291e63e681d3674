declare const _default: import("../../src/check/check.ts").Check<"cappedKey" | "mint">;
export default _default;
