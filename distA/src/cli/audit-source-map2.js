export { t as auditSourceMap } from "./audit-source-map.js";
