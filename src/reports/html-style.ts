/** The style sheet of the page: no fonts, images or scripts from anywhere; light, dark, narrow and on paper. */
export const style = `
:root {
  color-scheme: light dark;
  --paper: #fbfbfa; --card: #fff; --ink: #1c1e21; --soft: #5d646d; --line: #e2e4e6; --code: #f3f4f4;
  --fail: #b3261e; --error: #8a3ffc; --warn: #8a5a00; --untested: #33658a; --not-applicable: #5d646d;
  --info: #33658a; --pass: #1a7f4b;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #15171a; --card: #1d2024; --ink: #e7e9eb; --soft: #a2a9b1; --line: #33383e; --code: #262a2f;
    --fail: #ff8a80; --error: #c9a6ff; --warn: #f0b94f; --untested: #8fc1e8; --not-applicable: #a2a9b1;
    --info: #8fc1e8; --pass: #63d297;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
}
main, header { max-width: 60rem; margin: 0 auto; padding: 0 1.25rem; }
header { padding-top: 2.5rem; }
h1 { margin: 0; font-size: 1.75rem; line-height: 1.2; letter-spacing: -0.01em; overflow-wrap: anywhere; }
h2 { margin: 2.75rem 0 0.75rem; font-size: 1.2rem; }
h3 { margin: 0; font-size: 1rem; }
p { margin: 0.4rem 0; }
.kicker, .facts, .meta, figcaption, .time { color: var(--soft); font-size: 0.875rem; }
.kicker { margin: 0 0 0.25rem; }
.outcome {
  margin: 1.25rem 0; padding: 0.9rem 1.1rem; border-radius: 0.6rem; background: var(--card);
  border: 1px solid var(--line); border-left: 0.4rem solid var(--tone);
}
.outcome strong { display: block; color: var(--tone); font-size: 1.25rem; }
.counts { display: flex; flex-wrap: wrap; gap: 0.5rem; margin: 1rem 0 0; padding: 0; list-style: none; }
.counts li {
  min-width: 5.5rem; padding: 0.45rem 0.75rem; border: 1px solid var(--line); border-radius: 0.6rem;
  background: var(--card); color: var(--soft); font-size: 0.8125rem;
}
.counts b { display: block; color: var(--tone); font-size: 1.375rem; line-height: 1.2; font-variant-numeric: tabular-nums; }
.counts .none { opacity: 0.55; }
article, .table {
  margin: 0 0 0.75rem; padding: 0.9rem 1.1rem; border: 1px solid var(--line); border-radius: 0.6rem; background: var(--card);
}
article { border-left: 0.25rem solid var(--tone); }
.id { margin-right: 0.4rem; color: var(--tone); font-family: ui-monospace, "SF Mono", Menlo, Consolas, monospace; font-size: 0.9em; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.15rem 0.9rem; margin: 0.6rem 0; }
dt { color: var(--soft); }
dd { margin: 0; overflow-wrap: anywhere; }
.finding { padding-top: 0.4rem; }
.finding + .finding { margin-top: 0.6rem; border-top: 1px solid var(--line); }
.said { overflow-wrap: anywhere; white-space: pre-line; }
code, pre { font-family: ui-monospace, "SF Mono", Menlo, Consolas, monospace; font-size: 0.8125rem; }
code { overflow-wrap: anywhere; }
pre {
  margin: 0.4rem 0; padding: 0.7rem 0.85rem; max-height: 26rem; overflow: auto; border-radius: 0.4rem;
  background: var(--code); white-space: pre-wrap; overflow-wrap: anywhere;
}
figure { margin: 0.5rem 0 1rem; }
details { margin: 0.4rem 0; }
summary { padding: 0.15rem 0; cursor: pointer; color: var(--soft); font-size: 0.875rem; }
summary:focus-visible { outline: 2px solid var(--info); outline-offset: 2px; border-radius: 0.25rem; }
.table { overflow-x: auto; padding: 0.25rem 1.1rem; }
table { width: 100%; border-collapse: collapse; font-size: 0.9rem; }
th, td { padding: 0.5rem 0.9rem 0.5rem 0; border-top: 1px solid var(--line); text-align: left; vertical-align: top; }
tr:first-child > * { border-top: 0; }
th { width: 30%; font-weight: 500; }
th.short { width: 6.5rem; white-space: nowrap; }
footer { max-width: 60rem; margin: 3rem auto 0; padding: 1rem 1.25rem 3rem; color: var(--soft); font-size: 0.875rem; }
.conformant, .pass { --tone: var(--pass); }
.nonconformant, .fail { --tone: var(--fail); }
.incomplete, .untested, .info { --tone: var(--untested); }
.error { --tone: var(--error); }
.warn { --tone: var(--warn); }
.not-applicable { --tone: var(--not-applicable); }
@media (max-width: 36rem) {
  body { font-size: 15px; }
  header { padding-top: 1.25rem; }
  h1 { font-size: 1.4rem; }
  .counts li { min-width: calc(33.3% - 0.4rem); padding: 0.35rem 0.6rem; }
  dl { grid-template-columns: 1fr; }
  dd { margin-bottom: 0.4rem; }
  th { width: 42%; }
}
@media print {
  :root { color-scheme: light; --paper: #fff; --card: #fff; --ink: #000; --soft: #444; --line: #bbb; --code: #fff;
    --fail: #b3261e; --error: #6a24d8; --warn: #8a5a00; --untested: #33658a; --info: #33658a; --pass: #1a7f4b; --not-applicable: #444; }
  body { font-size: 10pt; }
  article, .table, .outcome { break-inside: avoid; }
  pre { max-height: none; border: 1px solid var(--line); }
  details::details-content { display: block; content-visibility: visible; }
}
`
