import { style as shared } from '../../run/html/style.ts'

export const style: string = `${shared}
.reasons li { color: var(--soft); font-size: 0.875rem; }
.todo .reasons li + li { margin-top: 0; }
#to-do .todo { padding-left: 1rem; }
.todo p + p { margin-top: 0.25rem; }
#finding-filter { margin: 0 0 1rem; }
#finding-filter label { min-width: 0; }
#finding-filter label:has(input) { flex: 1 1 14rem; }
#finding-filter select { min-width: 0; max-width: 24rem; }
#finding-filter [role=status]:empty { margin-left: -1rem; }
.found > li { padding: 0.5rem 0 0.25rem; border-top: 1px solid var(--line); content-visibility: auto; contain-intrinsic-size: auto 7rem; }
article > .found { margin-top: 1rem; }
.what { overflow-wrap: anywhere; }
.what .secret { margin-right: 0.5rem; font-family: var(--mono); font-size: 0.875rem; }
.place { padding: 0.25rem 0 0.25rem 1rem; border-left: 2px solid var(--line); }
.place + .place { margin-top: 0.25rem; }
.rest .places { margin-top: 0.25rem; }
.where { margin: 0; overflow-wrap: anywhere; }
.where .in { color: var(--soft); }
.where b { font-weight: 600; }
.gap { padding: 0.5rem 0; }
.gap p { margin: 0; font-size: 0.875rem; }
.tool code { padding: 0.25rem 0.25rem; border-radius: 0.25rem; background: var(--code); color: var(--ink); }
.contents li { padding: 0.25rem 0; overflow-wrap: anywhere; }
@media screen and (max-width: 44rem) {
  #finding-filter label { flex: 1 1 100%; }
  #finding-filter select { flex: 1 1 auto; max-width: 100%; }
  .place { padding-left: 0.5rem; }
}
@media print {
  .found > li { content-visibility: visible; }
  .place, .gap { break-inside: avoid; }
}
`
