/** The style sheet of the page: no fonts, images or scripts from anywhere; light, dark, narrow and on paper. */
export const style: string = `
:root {
  color-scheme: light dark;
  --paper: #f7f7f5; --card: #ffffff; --ink: #1b1f24; --soft: #57606a; --line: #e1e3e6; --code: #f4f5f6;
  --fail: #b42318; --error: #9c2a86; --warn: #8a5300; --untested: #2f5d8a; --not-applicable: #5b6470;
  --info: #46607d; --pass: #1a7046;
  --session: #1d5fbf; --calling-jwt: #0c726a; --api-key: #7b3fc4; --other: #5b6470;
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "Liberation Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #121417; --card: #1a1d21; --ink: #e6e8eb; --soft: #9aa4af; --line: #2d3238; --code: #22262b;
    --fail: #ff8b80; --error: #f0a0dc; --warn: #ecb24d; --untested: #8dc0ea; --not-applicable: #a0a9b4;
    --info: #a3b9d1; --pass: #62cf95;
    --session: #86b5ff; --calling-jwt: #5fd0c4; --api-key: #c8a3ff; --other: #a0a9b4;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; -webkit-text-size-adjust: 100%; }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 1rem/1.5rem system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
}
main, header, footer { max-width: 62rem; margin: 0 auto; padding: 0 1.5rem; }
header { padding-top: 3rem; }
footer { margin-top: 3.5rem; padding-top: 1.5rem; padding-bottom: 3rem; border-top: 1px solid var(--line); color: var(--soft); font-size: 0.875rem; }
h1 { margin: 0; font-size: 1.375rem; line-height: 2rem; letter-spacing: -0.01em; font-weight: 650; overflow-wrap: anywhere; text-wrap: balance; }
h2 { margin: 3rem 0 1rem; font-size: 1.375rem; line-height: 2rem; letter-spacing: -0.01em; font-weight: 650; }
h3 { margin: 0; font-size: 1rem; font-weight: 600; overflow-wrap: anywhere; }
p { margin: 0.5rem 0; }
ul, ol { margin: 0; padding: 0; list-style: none; }
a { color: inherit; text-underline-offset: 0.15em; text-decoration-thickness: 1px; }
code, pre, .id, .x { font-family: var(--mono); font-size: 0.875rem; font-variant-ligatures: none; }
code { overflow-wrap: anywhere; }
:focus-visible { outline: 2px solid var(--untested); outline-offset: 2px; border-radius: 0.25rem; }
:target:not(section) { outline: 2px solid var(--untested); outline-offset: 2px; border-radius: 0.5rem; }
.kicker { margin: 0 0 0.5rem; color: var(--soft); font-size: 0.875rem; letter-spacing: 0.01em; }
.facts, .meta, figcaption, .time, .aside { color: var(--soft); font-size: 0.875rem; }
.facts { margin: 1rem 0 0; font-variant-numeric: tabular-nums; }
.time { white-space: nowrap; font-variant-numeric: tabular-nums; }
.none { color: var(--soft); }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.id { color: var(--soft); font-weight: 500; white-space: nowrap; }

.conformant, .pass { --tone: var(--pass); }
.nonconformant, .fail { --tone: var(--fail); }
.incomplete, .untested { --tone: var(--untested); }
.error { --tone: var(--error); }
.warn { --tone: var(--warn); }
.info { --tone: var(--info); }
.not-applicable { --tone: var(--not-applicable); }

.outcome { margin: 1rem 0 1.5rem; }
.outcome strong { color: var(--tone); font-size: 1.375rem; line-height: 2rem; font-weight: 650; letter-spacing: -0.01em; }
.outcome p { margin: 0.5rem 0 0; }
.outcome .plate { vertical-align: 0.2em; }
.title::first-letter { text-transform: uppercase; }
.title { display: inline-block; }
.bar { display: flex; gap: 0 2px; height: 0.5rem; border-radius: 0.25rem; overflow: hidden; }
.bar span { background: var(--tone); min-width: 4px; }
.bar .pass, .bar .info { opacity: 0.75; }
.counts { display: flex; flex-wrap: wrap; gap: 0.5rem 2rem; margin: 0.5rem 0 0; }
.counts li { color: var(--soft); font-size: 0.875rem; }
.counts b { color: var(--tone); font-size: 1rem; font-weight: 650; font-variant-numeric: tabular-nums; }

article, .card {
  margin: 0 0 1rem; padding: 1rem 1rem; border: 1px solid var(--line); border-radius: 0.6rem; background: var(--card);
}
article { border-left: 3px solid var(--tone); }
.card > h3 { margin: 0 0 0.5rem; text-transform: capitalize; }
details > h3 { margin-top: 1rem; }
.scroll { overflow-x: auto; }
.plain li + li { margin-top: 0.5rem; }

.plate {
  display: inline-block; margin-right: 0.25rem; padding: 0 0.45em; border: 1px solid currentColor; border-radius: 0.3rem;
  color: var(--tone); font-size: 0.875rem; line-height: 1.375rem; font-weight: 600; white-space: nowrap;
}
nav { font-size: 0.875rem; }
nav a { display: block; padding: 0.25rem 0; color: var(--soft); text-decoration: none; overflow-wrap: anywhere; }
nav a:hover { color: var(--ink); text-decoration: underline; }
nav .top { color: var(--tone); font-weight: 650; }
@media (min-width: 86rem) {
  body { display: grid; grid-template-columns: 1fr minmax(0, 62rem) 1fr; }
  header, main, footer { grid-column: 2; width: 100%; }
  nav { grid-column: 1; grid-row: 1 / span 3; position: sticky; top: 0; align-self: start; justify-self: end; width: 12rem; max-height: 100vh; overflow-y: auto; padding: 3rem 1rem 1rem 0; }
}
@media (max-width: 85.99rem) {
  nav ol { display: none; }
  /* It lies under the header, which says the same, until that has scrolled away. */
  header { position: relative; z-index: 2; background: var(--paper); }
  nav { position: sticky; top: 0; z-index: 1; max-width: 62rem; height: 2.5rem; margin: -2.5rem auto 0; padding: 0.5rem 1.5rem; border-bottom: 1px solid var(--line); background: var(--paper); }
  nav:focus-within { z-index: 3; }
  nav .top { overflow: hidden; white-space: nowrap; text-overflow: ellipsis; }
  html { scroll-padding-top: 3rem; }
}
.copy { padding: 0.25rem 0.5rem; border-color: var(--line); color: var(--soft); font-size: 0.875rem; }
.tabs { display: grid; grid-template-columns: repeat(5, max-content) 1fr; gap: 0 0.25rem; }
.tabs details { display: contents; }
.tabs summary { grid-row: 1; padding: 0.25rem 1rem; border-bottom: 2px solid transparent; list-style: none; color: var(--soft); }
.tabs summary::-webkit-details-marker { display: none; }
.tabs [open] summary { border-color: currentColor; color: var(--ink); font-weight: 600; }
.tabs details::details-content { grid-row: 2; grid-column: 1 / -1; min-width: 0; }
.todo { padding-left: 2rem; }
.todo li + li { margin-top: 0.5rem; }
.todo p { margin: 0; overflow-wrap: anywhere; }
#to-do .meta { display: -webkit-box; overflow: hidden; -webkit-box-orient: vertical; -webkit-line-clamp: 3; }
.fixes pre { max-height: none; }
.fixes, .cases { margin: 0.5rem 0; }
.finding { padding: 0.25rem 0; }
.finding + .finding { margin-top: 0.5rem; padding: 0.5rem 0 0; border-top: 1px solid var(--line); }
.finding dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.5rem 1rem; margin: 0.5rem 0; }
.finding dt { color: var(--soft); }
dd { margin: 0; overflow-wrap: anywhere; }
.finding dd.change { font-weight: 600; }
h4 { margin: 1rem 0 0; font-size: 0.875rem; font-weight: 600; }
.said { overflow-wrap: anywhere; white-space: pre-line; }
.pictures { display: flex; flex-wrap: wrap; gap: 0.5rem; margin-top: 0.5rem; }
.pictures img { display: block; width: 15rem; max-width: 100%; border: 1px solid var(--line); border-radius: 0.3rem; }
.again, figcaption { display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem; }
.again { margin-top: 0.5rem; color: var(--soft); font-size: 0.875rem; }
.again code { display: inline-block; padding: 0.25rem 0.5rem; border-radius: 0.3rem; background: var(--code); color: var(--ink); }

table { width: 100%; border-collapse: collapse; font-size: 0.875rem; }
th, td { padding: 0.5rem 1rem 0.5rem 0; text-align: left; vertical-align: top; }
tbody tr > * { border-top: 1px solid var(--line); }
th { font-weight: 550; }
thead th { color: var(--tone, var(--soft)); font-size: 0.875rem; white-space: nowrap; }
.matrix tr:first-child > * { border-top: 0; }
.matrix tbody th { padding-top: 0.5rem; white-space: nowrap; }
.tiles { display: flex; flex-wrap: wrap; gap: 0.5rem; }
.tile {
  display: inline-flex; align-items: center; gap: 0 0.25rem; height: 1.5rem; padding: 0 0.5rem; border-radius: 0.3rem;
  border: 1px solid var(--tone); color: var(--tone);
  font: 500 0.875rem/1 var(--mono); text-decoration: none; white-space: nowrap; font-variant-numeric: tabular-nums;
}
.tile.fail, .tile.error { background: var(--tone); color: var(--card); font-weight: 700; }
.tile.pass, .tile.info, .tile.not-applicable { border-color: var(--line); }
.tile:hover { border-color: currentColor; text-decoration: underline; }
.secrets td { white-space: nowrap; }
.secrets .belongs { color: var(--pass); }
.secrets .absent { color: var(--soft); }
.secrets .stray { color: var(--fail); font-weight: 650; }

.reason + .reason { margin-top: 1rem; padding-top: 1rem; border-top: 1px solid var(--line); }
.reason p { margin: 0 0 0.5rem; }
.reason ul { font-size: 1rem; }
.reason li { padding: 0.25rem 0; overflow-wrap: anywhere; }
.reason .id, .held .id { margin-right: 0.25rem; }
.held { margin-top: 0.5rem; }
.held > li { padding: 0.5rem 0; border-top: 1px solid var(--line); overflow-wrap: anywhere; }
.held p { margin: 0; }

.terms { margin: 0; font-size: 1rem; }
.terms > div { display: grid; grid-template-columns: minmax(9rem, 15rem) 1fr; gap: 0 1rem; padding: 0.25rem 0; }
.terms > div + div { border-top: 1px solid var(--line); }
.terms dt { color: var(--soft); overflow-wrap: anywhere; }
#observed > .card > summary { font-weight: 600; }
#observed > .card > summary, #observed > .card > .terms > div > dt { text-transform: none; }
#observed > .card > summary::first-letter, #observed > .card > .terms > div > dt::first-letter { text-transform: uppercase; }
.terms .terms > div { padding: 0.25rem 0; border: 0; grid-template-columns: minmax(4rem, 10rem) 1fr; }

details { margin: 0.25rem 0; }
details.card { margin: 0 0 1rem; }
summary { padding: 0.25rem 0; cursor: pointer; font-size: 0.875rem; overflow-wrap: anywhere; }
.more > summary, .cases > summary, .flow summary, .exchange > summary { color: var(--soft); }
mark { background: color-mix(in srgb, var(--warn) 8%, transparent); color: inherit; box-shadow: inset 0 -2px 0 var(--warn); }
.exchanges { margin-top: 0.5rem; }
.exchanges td { vertical-align: baseline; }
.exchanges .way, .exchanges .time { white-space: nowrap; }
.exchanges em { font-style: normal; font-weight: 600; }
.exchanges button { padding: 0 0.5rem; font-family: var(--mono); }
.exchanges button::before { content: "▸ "; }
.exchanges button[aria-expanded="true"]::before { content: "▾ "; }
.exchange .x { display: inline-block; min-width: 3.1rem; color: var(--ink); }
.exchange em { color: var(--ink); font-style: normal; }
figure { margin: 0.5rem 0 1rem; }
pre {
  margin: 0.5rem 0; padding: 0.5rem 1rem; max-height: 26rem; overflow: auto; border-radius: 0.4rem;
  background: var(--code); line-height: 1.5rem; white-space: pre-wrap; overflow-wrap: anywhere;
}
pre b { font-weight: 650; }
.token { margin: 0.5rem 0; padding: 0.5rem 1rem; border-radius: 0.4rem; background: var(--code); overflow-x: auto; }
.token caption { padding: 0.25rem 0; text-align: left; font-weight: 650; font-size: 0.875rem; }
.token th, .token td { padding: 0.25rem 1rem 0.25rem 0; font-size: 0.875rem; overflow-wrap: anywhere; }
.token tbody th { color: var(--soft); font-family: var(--mono); font-weight: 500; white-space: nowrap; }
.token code { overflow-wrap: break-word; }
.token .differs > * { color: var(--fail); font-weight: 600; }
.secret { color: var(--kind); font-weight: 600; }

.events { margin: 0.5rem 0; padding: 0.5rem 1rem; border-radius: 0.4rem; background: var(--code); font-size: 0.875rem; }
.events li { display: grid; grid-template-columns: 4.5rem 9rem 5rem 1fr; gap: 0 1rem; align-items: baseline; padding: 0.25rem 0; }
.events .time { text-align: right; }
.axis { position: relative; align-self: center; height: 1px; background: var(--soft); opacity: 0.8; }
.axis::before {
  content: ""; position: absolute; left: var(--at); top: -4px; width: 9px; height: 9px; margin-left: -4.5px; border-radius: 50%; background: var(--untested);
}
.events .sent .axis::before { border-radius: 0; background: var(--session); }
.events .close .axis::before, .events .error .axis::before, .events .http .axis::before, .events .timeout .axis::before { border-radius: 0; transform: rotate(45deg); background: var(--fail); }
.type { color: var(--soft); white-space: nowrap; }

.flow svg { display: block; max-width: 100%; height: auto; }
.flow .narrow { display: none; }
.lane line { stroke: var(--line); stroke-width: 1; }
.lane rect { fill: var(--code); stroke: var(--line); }
.lane text { fill: var(--ink); font-size: 13px; font-weight: 600; }
.lane .stand-in { fill: var(--soft); font-size: 10.5px; font-weight: 400; }
.caption { fill: var(--ink); font-size: 12px; paint-order: stroke; stroke: var(--card); stroke-width: 4px; stroke-linejoin: round; }
.at { fill: var(--soft); font-size: 11px; font-variant-numeric: tabular-nums; }
.arrow { --kind: var(--soft); }
.badge, .secret { --kind: var(--other); }
.session { --kind: var(--session); }
.calling-jwt { --kind: var(--calling-jwt); }
.api-key { --kind: var(--api-key); }
.shaft { stroke: var(--kind); stroke-width: 1.75; }
.arrow.calling-jwt .shaft { stroke-dasharray: 9 4; }
.arrow.api-key .shaft { stroke-dasharray: 2 4; stroke-linecap: round; stroke-width: 2.25; }
.arrow polygon, .leak polygon { fill: var(--kind); }
.badge circle, .badge rect, .badge polygon, .arrow .badge polygon { fill: var(--kind); stroke: var(--card); stroke-width: 2; }
.badge text { fill: var(--card); font: 700 11px/1 var(--mono); }
.arrow:is(.refused, .violated) .caption { fill: var(--fail); }
.arrow.violated .caption { font-weight: 650; }
svg .leak { --kind: var(--fail); }
svg .leak .shaft { stroke: var(--fail); stroke-width: 3; stroke-dasharray: none; }
svg .leak > polygon { fill: var(--fail); }
svg .leak .caption { fill: var(--fail); font-weight: 650; }
svg .leak .rule { stroke: var(--line); }
svg .leak .badge, .arrow .leak .badge { --kind: var(--fail); }
.legend { display: flex; flex-wrap: wrap; gap: 0.5rem 1.5rem; margin: 1rem 0 0; font-size: 0.875rem; color: var(--soft); }
.legend li { display: flex; align-items: center; gap: 0.5rem; }
.leaks { margin: 1rem 0 0; }
.leaks li { font-size: 0.875rem; color: var(--fail); font-weight: 550; overflow-wrap: anywhere; }
.leaks .id { color: inherit; }
.story ol, .steps { padding-left: 1.5rem; list-style: decimal; }
.story li { margin: 0.5rem 0; }
.steps { margin: 0.5rem 0; font-size: 0.875rem; }

form { display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem 1rem; color: var(--soft); font-size: 0.875rem; }
#requirement-filter { margin-top: 1.5rem; }
label { display: flex; align-items: center; gap: 0.5rem; }
form :is(select, input) { height: 2.5rem; padding: 0 0.5rem; border: 1px solid var(--soft); border-radius: 0.5rem; background: var(--card); color: var(--ink); font: inherit; }
form input { width: 16rem; max-width: 100%; min-width: 0; }
[hidden] { display: none !important; }
.why { color: var(--soft); font-size: 1rem; }
button { padding: 0.5rem 1rem; border: 1px solid var(--soft); border-radius: 0.4rem; background: var(--card); color: var(--ink); font: inherit; font-size: 0.875rem; cursor: pointer; }

@media screen and (max-width: 44rem) {
  main, header, footer { padding-left: 1rem; padding-right: 1rem; }
  header { padding-top: 1.5rem; }
  h2 { margin-top: 2.5rem; }
  .counts { gap: 0.5rem 1.5rem; }
  .finding dl { grid-template-columns: 1fr; gap: 0; }
  .finding dd { margin-bottom: 0.5rem; }
  .terms > div, .terms .terms > div { grid-template-columns: 1fr; }
  .terms .terms { padding-left: 1rem; border-left: 2px solid var(--line); }
  .tabs { grid-template-columns: repeat(5, auto); }
  .tabs summary { padding: 0.25rem 0.25rem; font-size: 0.875rem; }
  .matrix, .matrix tbody, .matrix tr, .matrix th, .matrix td { display: block; padding: 0; border: 0; }
  .matrix tbody tr { padding: 0.5rem 0; border-top: 1px solid var(--line); }
  .matrix tbody tr:first-child { padding-top: 0; border-top: 0; }
  .matrix td { margin-top: 0.5rem; }
  .secrets td { white-space: normal; }
  .secrets :is(th, td) { padding-right: 0.5rem; }
  .tile { height: 2rem; }
  .flow .wide { display: none; }
  .flow .narrow { display: block; }
  .lane text { font-size: 11.5px; }
  .caption { font-size: 11px; }
  .events li { grid-template-columns: 4rem 1fr auto; }
  .events code { grid-column: 1 / -1; padding-bottom: 0.5rem; }
}
@media print {
  :root {
    color-scheme: light; --paper: #fff; --card: #fff; --ink: #000; --soft: #444; --line: #bbb; --code: #fff;
    --fail: #b42318; --error: #9c2a86; --warn: #8a5300; --untested: #2f5d8a; --not-applicable: #444; --info: #46607d; --pass: #1a7046;
    --session: #1d5fbf; --calling-jwt: #0c726a; --api-key: #7b3fc4; --other: #444;
  }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  @page { margin: 16mm 14mm; }
  html { font-size: 13px; }
  body { font-size: 1rem; }
  main, header, footer { max-width: none; padding: 0; }
  header { padding-top: 0; }
  h2 { break-after: avoid; margin-top: 1.6rem; }
  h3 { break-after: avoid; }
  .finding dl, .outcome, .reason, tr, .flow svg, .events, .held > li { break-inside: avoid; }
  pre { max-height: none; border: 1px solid var(--line); }
  details::details-content { display: block; content-visibility: visible; }
  .more, .fixes, #log, #requirement-filter, nav, .copy { display: none; }
  .scroll { overflow: visible; }
  a { text-decoration: none; }
}
`
