import { style as shared } from '../../run/html/style.ts'

/** The style sheet of a run's report, and what only an audit has. */
export const style: string = `${shared}
.reasons li { color: var(--soft); font-size: 0.875rem; }
.todo .reasons li + li { margin-top: 0; }
#to-do .todo { padding-left: 1.2rem; }
.todo p + p { margin-top: 0.1rem; }
#finding-filter { display: flex; flex-wrap: wrap; align-items: center; gap: 0.4rem 1rem; margin: 0 0 0.9rem; color: var(--soft); font-size: 0.875rem; }
#finding-filter label { display: flex; align-items: center; gap: 0.4rem; min-width: 0; }
#finding-filter label:has(input) { flex: 1 1 14rem; }
#finding-filter select { min-width: 0; max-width: 24rem; padding: 0.3rem 0.4rem; border: 1px solid var(--soft); border-radius: 0.4rem; background: var(--card); color: var(--ink); font: inherit; }
#finding-filter [role=status]:empty { margin-left: -1rem; }
.found > li { padding: 0.7rem 0 0.3rem; border-top: 1px solid var(--line); content-visibility: auto; contain-intrinsic-size: auto 7rem; }
article > .found { margin-top: 0.8rem; }
.what { overflow-wrap: anywhere; }
.what .secret { margin-right: 0.4rem; font-family: var(--mono); font-size: 0.875rem; }
.secret.other { color: var(--other); }
.place { padding: 0.3rem 0 0.3rem 0.9rem; border-left: 2px solid var(--line); }
.place + .place { margin-top: 0.35rem; }
.rest .places { margin-top: 0.35rem; }
.where { margin: 0; overflow-wrap: anywhere; }
.where .in { color: var(--soft); }
.where b { font-weight: 600; }
.api-key { --kind: var(--api-key); }
.calling-jwt { --kind: var(--calling-jwt); }
.session { --kind: var(--session); }
.other { --kind: var(--other); }
.gap { padding: 0.4rem 0; }
.gap p { margin: 0; font-size: 0.875rem; }
.gap p + p { font-size: 0.8125rem; }
.tool code { padding: 0.05rem 0.35rem; border-radius: 0.25rem; background: var(--code); color: var(--ink); }
.contents li { padding: 0.12rem 0; overflow-wrap: anywhere; }
@media screen and (max-width: 44rem) {
  #finding-filter label { flex: 1 1 100%; }
  #finding-filter select { flex: 1 1 auto; max-width: 100%; }
  .place { padding-left: 0.6rem; }
}
@media print {
  #finding-filter { display: none; }
  .found > li { content-visibility: visible; }
  .place, .gap { break-inside: avoid; }
}
`
