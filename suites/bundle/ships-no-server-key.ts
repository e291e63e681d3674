import { defineCheck } from '../../src/requirement/define.ts'
import { auditBundle, judgeFindings } from './lib/audit-bundle.ts'
import { createSample } from './lib/sample.ts'

export default defineCheck({
  id: 'PKG-01',
  role: 'bundle',
  level: 'MUST',
  kind: 'positive',
  clauses: ['2.1.1'],
  basis: 'The API key is never placed in a mobile binary (2.1.1).',
  title: 'ships no server key',
  why: 'Every user has every byte of the app: with the key in it, any user can mint for any other.',
  how: {
    does: [
      'Reads every file under bundle.paths through containers, formats and encodings, and folds constant expressions in scripts.',
    ],
    fails: ['A key.'],
    warns: ['A string that only resembles a key, or the prefix of one, bare or in pieces.'],
  },
  needs: [],
  async run(common, judge) {
    const { findings } = await auditBundle(common)
    judgeFindings(
      judge,
      findings.filter(({ kind }) => kind === 'key' || kind === 'prefix'),
      { expected: 'no server key in any form (2.1.1)', fix: 'Remove the key from the app and revoke it.' },
    )
  },
  catches: {
    'inlined by the bundler': createSample('inlined'),
    'inlined as a variable of the environment': createSample('env-inlined'),
    'in an environment file': createSample('env-file'),
    'in a public JSON file': createSample('public-json'),
    'in a service worker': createSample('service-worker'),
    'in the data of a rendered page': createSample('next-data'),
    'in an attribute of a page': createSample('html-attribute'),
    'in the source map alone': createSample('source-map'),
    'in an inline source map': createSample('inline-map'),
    'put together in a typed source of a map': createSample('source-of-typescript'),
    'split into pieces': createSample('split'),
    'put together by a template': createSample('template'),
    'put together of members and static fields': createSample('members'),
    'in a table of strings': { ...createSample('string-table'), as: 'warn' },
    'as character codes': createSample('char-codes'),
    reversed: createSample('reversed'),
    'in base64': createSample('base64'),
    'in escapes': createSample('hex-escapes'),
    'in code that is run from a string': createSample('development-build'),
    'compressed ahead of time': createSample('precompressed'),
    'in a tar.zst': createSample('archive'),
    'in Hermes bytecode': createSample('hermes'),
    'in the Hermes bytecode of an app': createSample('react-native'),
    'in the plain bundle of an app': createSample('react-native-plain'),
    'in Android resources': createSample('android-resources'),
    'in the resources of an app bundle': createSample('android-bundle'),
    'in a class of an Android library': createSample('android-library'),
    'in Info.plist': createSample('ios-plist'),
    'in localised strings': createSample('ios-strings'),
    'in the data of a property list': createSample('ios-plist-data'),
    'in the configuration of Capacitor': createSample('capacitor'),
    'in a native library of Flutter': createSample('flutter'),
    'in WebAssembly data': createSample('wasm'),
    'in a database': createSample('sqlite'),
    'in an Electron archive': createSample('electron'),
    'under a mask of bytes': { ...createSample('masked-bytes'), as: 'warn' },
    'shaped weakly': { ...createSample('weak'), as: 'warn' },
  },
})
