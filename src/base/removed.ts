const serve = 'put "twotoken serve" in a part\'s place by its URL (docs/backend.md)'
const load = 'run the Artillery script of examples/load'
const matrix = 'spread a run over machines with --suite (docs/ci.md)'
const overTime = 'keep results over time with --report ctrf=FILE or junit=FILE, in the dashboard of your CI'
const attest = 'sign results.json with actions/attest or cosign attest-blob (docs/ci.md)'
const fixes = 'read the code in docs/fixes, to which "twotoken explain ID" leads'
const explored = 'explore mint, backend or signaling; --suite client judges clients'
const start = 'change start.command in twotoken.yaml, which init writes'
const paths = 'pass the files as paths, as a pre-commit hook does'

/** Commands, with the option or argument that went, as they are typed, each with what to do instead. */
export const removedWords: Readonly<Record<string, string>> = {
  storm: load,
  merge: matrix,
  diff: overTime,
  history: overTime,
  complete: 'type "twotoken --help"',
  'verify-report': attest,
  'run --blame': serve,
  'run --shard': matrix,
  'report --format badge': overTime,
  'report --format badge-json': overTime,
  'report --format in-toto': attest,
  'explain --fix': fixes,
  'explain --whole': fixes,
  'explore client': explored,
  'explore --until-covered': 'set --minutes, or another --seed',
  'detect --try': 'write signaling.profile, as docs/signaling.md describes',
  'detect --force': 'remove signaling.profile from the file, then detect --write',
  'detect --wait': 'SIG-06 measures the leeway',
  'detect --json': 'detect prints YAML',
  'detect --max-mints': 'set limits.maxMints',
  'init --login-body': 'change the body in twotoken-login.mjs, which init writes',
  'init --mint-url-variable': start,
  'init --mint-key-variable': start,
  'init --no-tls': 'change start.command and fakeMint.tls in twotoken.yaml, which init writes',
  'audit --list': paths,
  'audit --jobs': paths,
  'audit --merge': paths,
  'audit --shard': paths,
  'audit --git': paths,
}

/** The same for keys of `twotoken.yaml`. */
const removedKeys: Readonly<Record<string, string>> = {
  load,
  'hooks.moveClock': 'remove the line; fixed requirements wait for expiry',
}

/** The advice for a key that went; undefined for one that never was. */
export function insteadOfKey(key: string): string | undefined {
  return Object.hasOwn(removedKeys, key) ? removedKeys[key] : undefined
}
