declare const _default: import("../../src/check/check.ts").Check<"client">;
export default _default;
