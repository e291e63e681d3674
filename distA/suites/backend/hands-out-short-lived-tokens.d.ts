declare const _default: import("../../src/check/check.ts").Check<"backend">;
export default _default;
