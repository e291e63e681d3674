import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { loadConfiguration } from '../configuration/load.js';
import { detect as detectParts } from '../detect/detect.js';
import { draftFromHint } from '../detect/hint.js';
import { citedExchanges, detectionText, evidenceText } from '../detect/words.js';
import { settingsOf, withSetting } from '../detect/written.js';
import { TwotokenError } from '../errors.js';
import { createRedactor } from '../evidence/redact.js';
import { assertNoSecret } from '../evidence/scan.js';
import { preflight } from '../preflight/preflight.js';
import { version } from '../version.js';
import { writeFileWhole } from './write-file.js';
/**
 * `twotoken detect`: finds out how an implementation does what the specification leaves open. Returns 0 where all of
 * it was found, 3 where something was not.
 * @throws TwotokenError `configuration`, `credential`, `precondition` or `usage`, before anything is tried
 */
export async function detect(options, environment) {
    const { directory, variables, stderr } = environment;
    const file = resolve(directory, options.config ?? 'twotoken.yaml');
    const hints = options.hints.map(draftFromHint);
    const configuration = await loadConfiguration(file, variables);
    const { mint, signaling } = configuration;
    if (mint === undefined && signaling === undefined)
        throw new TwotokenError('configuration', `${file} describes neither mint nor signaling, expected one of them: add mint.url with its key, or signaling.url`);
    if (options.write && !options.force && signaling?.access !== undefined)
        throw new TwotokenError('usage', `${file} has a signaling profile or adapter already, expected none: leave out --write, or replace the profile with --force`);
    if (options.write && signaling?.access !== undefined && 'adapter' in signaling.access)
        throw new TwotokenError('usage', `${file} has a signaling adapter, which a profile cannot stand beside: take it out, or leave out --write`);
    const roles = [
        ...(mint === undefined ? [] : ['mint']),
        ...(signaling === undefined ? [] : ['signaling']),
    ];
    const fatal = (await preflight(configuration, { parts: roles })).filter((problem) => problem.fatal);
    if (fatal.length > 0)
        throw new TwotokenError('precondition', `nothing was tried:\n  ${fatal.map(({ part, message }) => `${part}: ${message}`).join('\n  ')}`);
    const detection = await detectParts(configuration, {
        parts: roles,
        hints,
        wait: options.wait,
        bounds: options.maxMints === undefined ? {} : { mints: options.maxMints },
        onProgress: (what) => void stderr.write(`trying ${what}\n`),
    });
    await show(detection, options, environment);
    if (options.write)
        await write(detection, file, stderr);
    return roles.every((role) => 'found' in detection[role]) ? 0 : 3;
}
async function show(detection, { json }, { stdout, stderr }) {
    const { secrets, exchanges: _, ...found } = detection;
    const redactor = createRedactor();
    for (const { kind, secret } of secrets)
        redactor.register(kind, secret);
    const data = { tool: { name: 'twotoken', version }, ...found, exchanges: citedExchanges(detection) };
    const text = json ? `${JSON.stringify(data, null, 2)}\n` : detectionText(detection);
    const evidence = evidenceText(detection);
    assertNoSecret('what detect prints', text + evidence, redactor);
    stderr.write(evidence);
    stdout.write(text);
}
async function write(detection, file, stderr) {
    const before = await readFile(file, 'utf8');
    const settings = settingsOf(detection);
    const after = settings.reduce(withSetting, before);
    if (settings.length === 0)
        return void stderr.write(`nothing was found, so ${file} stays as it is\n`);
    await writeFileWhole(file, after);
    stderr.write(`written to ${file}: ${settings.map(({ part, key }) => `${part}.${key}`).join(', ')}\n`);
}
