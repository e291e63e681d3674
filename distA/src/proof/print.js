import { mkdir, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { loadCases } from './cases.js';
import { browsers } from './prove.js';
import { gapLine, markdownTable, summaryOf } from './table.js';
const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
        conforming: { type: 'string' },
        verbose: { type: 'boolean', default: false },
        out: { type: 'string', default: 'twotoken-results' },
    },
});
/** The machine is shared with the variants themselves; most of a case is waiting. */
const atOnce = 16;
const cases = (await loadCases(({ id }) => positionals.length === 0 || positionals.some((start) => id.startsWith(start)))).filter(({ kind, name }) => values.conforming === undefined || (kind === 'conforming' && name.startsWith(values.conforming)));
const cells = [];
const waiting = [...cases];
const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const filled = await next.prove();
        cells.push(...filled);
        for (const cell of filled)
            print(cell);
    }
};
const print = (cell) => {
    const { requirement, kind, variant, result, holds } = cell;
    if (!holds)
        process.stdout.write(`GAP ${gapLine(cell)}\n`);
    else if (kind === 'broken' || values.verbose)
        process.stdout.write(`ok  ${requirement.padEnd(8)} ${result.verdict.padEnd(5)} ${kind} ${variant}\n`);
    if (values.verbose)
        for (const text of [
            result.reason,
            ...result.findings.map(({ message }) => message),
            JSON.stringify(result.observations),
        ])
            if (text !== null)
                process.stdout.write(`      ${text}\n`);
};
await Promise.all(Array.from({ length: atOnce }, work));
await browsers[Symbol.asyncDispose]();
cells.sort((a, b) => a.requirement.localeCompare(b.requirement) ||
    a.kind.localeCompare(b.kind) ||
    a.variant.localeCompare(b.variant));
await mkdir(values.out, { recursive: true });
const table = markdownTable(cells);
process.stdout.write(`\n${table}\n`);
await writeFile(`${values.out}/proof.md`, table);
await writeFile(`${values.out}/proof.json`, `${JSON.stringify({ summary: summaryOf(cells), cells }, null, 2)}\n`);
const { caught, broken, conforming, accused, degenerate, gaps } = summaryOf(cells);
process.stdout.write(`${caught} of ${broken} broken variants caught, ${accused.length} of ${conforming} conforming variants accused, ` +
    `${degenerate} degenerate peers, ${gaps} gaps; the table is in ${values.out}/proof.md\n`);
process.exitCode = gaps === 0 && cells.length > 0 ? 0 : 1;
