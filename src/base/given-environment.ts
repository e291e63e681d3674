/** `environment` of the configuration, or what holds such a list of names. */
export interface GivenNames {
  /** Names of variables; one that ends in an asterisk is the beginning of names. */
  readonly environment: readonly string[]
}

/**
 * Variables by which programs find their folders, their language, their tools, the proxy and its authorities; a name that
 * ends in an asterisk is the beginning of names. A credential stands in none of them, but for that of a proxy.
 */
const usual = [
  ...['PATH', 'PATHEXT', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'COMSPEC', 'PWD', 'TMPDIR', 'TEMP', 'TMP'],
  ...['LANG', 'LANGUAGE', 'LC_*', 'TZ', 'TERM', 'COLORTERM', 'NO_COLOR', 'FORCE_COLOR', 'CI', 'PORT', 'HOST'],
  ...['DISPLAY', 'WAYLAND_DISPLAY', 'XAUTHORITY', 'XDG_*', 'DBUS_SESSION_BUS_ADDRESS', 'LD_LIBRARY_PATH'],
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY', 'SSL_CERT_FILE', 'SSL_CERT_DIR'],
  ...[
    'NODE_*',
    'NVM_*',
    'PYTHONPATH',
    'PYTHONHOME',
    'VIRTUAL_ENV',
    'PYENV_*',
    'RBENV_*',
    'GEM_HOME',
    'GEM_PATH',
  ],
  ...['BUNDLE_PATH', 'BUNDLE_GEMFILE', 'RAILS_ENV', 'RACK_ENV', 'JAVA_HOME', 'GOPATH', 'GOROOT', 'GOCACHE'],
  ...['CARGO_HOME', 'RUSTUP_HOME', 'DOTNET_ROOT', 'ANDROID_HOME', 'ANDROID_SDK_ROOT'],
  ...['SYSTEMROOT', 'SYSTEMDRIVE', 'WINDIR', 'USERPROFILE', 'APPDATA', 'LOCALAPPDATA'],
  ...['PROGRAMFILES*', 'PROGRAMDATA'],
]

/** By which the test runners of the suite know their own processes. */
const ofRunners = [
  'VITEST*',
  'TEST',
  'TEST_*',
  'PLAYWRIGHT_*',
  'PW_*',
  'DEV',
  'PROD',
  'MODE',
  'SSR',
  'BASE_URL',
]

/** Says whether a program gets a variable in any case. */
export function isUsual(name: string): boolean {
  return isNamed(name.toUpperCase(), usual)
}

/** A program's variables: the usual ones, those of `environment`, and those that its command refers to as `$NAME`. */
export function givenEnvironment(
  environment: NodeJS.ProcessEnv,
  { environment: names }: GivenNames,
  command = '',
): NodeJS.ProcessEnv {
  const referred = new Set([...command.matchAll(/\$\{?([A-Za-z_]\w*)/g)].map(([, name]) => name))
  const isGiven = (name: string) => isUsual(name) || referred.has(name) || isNamed(name, names)
  return Object.fromEntries(Object.entries(environment).filter(([name]) => isGiven(name)))
}

/** A name, or the beginning of names before an asterisk. */
function isNamed(name: string, names: readonly string[]): boolean {
  return names.some((one) => (one.endsWith('*') ? name.startsWith(one.slice(0, -1)) : name === one))
}

const withheld: { whole: NodeJS.ProcessEnv | null; holders: number } = { whole: null, holders: 0 }

/** Leaves this process what a driver or an adapter in it may read, until it is disposed of. An earlier reference keeps all. */
export function withholdEnvironment(names: GivenNames): Disposable {
  withheld.whole ??= process.env
  withheld.holders += 1
  const { whole } = withheld
  const runners = Object.entries(whole).filter(([name]) => isNamed(name, ofRunners))
  process.env = { ...givenEnvironment(whole, names), ...Object.fromEntries(runners) }
  return {
    [Symbol.dispose]() {
      withheld.holders -= 1
      if (withheld.holders > 0) return
      process.env = whole
      withheld.whole = null
    },
  }
}

/** The variables that a text of JavaScript reads by name, and that are set but not given to it. */
export function listWithheld(source: string, names: GivenNames): string[] {
  const environment = withheld.whole ?? process.env
  const read = [...source.matchAll(/\bprocess\.env(?:\.([A-Za-z_]\w*)|\[['"`]([A-Za-z_]\w*)['"`]\])/g)].map(
    ([, dotted, quoted]) => dotted ?? quoted ?? '',
  )
  const given = givenEnvironment(environment, names)
  return [...new Set(read)].filter((name) => environment[name] !== undefined && given[name] === undefined)
}

/** Advice where a program that was given too little has failed. */
export const givenAdvice =
  'it receives only PATH, HOME, LANG and the like, and the variables listed in environment'
