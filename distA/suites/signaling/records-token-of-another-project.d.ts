declare const _default: import("../../src/check/check.ts").Check<"mint" | "otherProjectKey" | "signaling">;
export default _default;
