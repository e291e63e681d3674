declare const _default: import("../../src/check/check.ts").Check<"mint">;
export default _default;
