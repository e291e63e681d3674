import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { reservePort } from '../../fixtures/reserve-port.ts'
import { type Framework, frameworks } from '../../src/reports/fix-pages.ts'
import { startProcessGroup } from '../../src/run/provision/process-group.ts'
import { waitForAddresses } from '../../src/run/provision/wait-for-addresses.ts'
import type { Block } from './snippets.ts'

/** A browser runs what a page serves. */
export type RunFramework = Exclude<Framework, 'browser'>

interface Program {
  /** The name of the file that the blocks are assembled in. */
  readonly file: string
  /** The command to start in the folder of that file. */
  readonly command: (port: number) => readonly string[]
  /** The folder of its packages, from the root; that of the suite's own where absent. */
  readonly packages?: string
}

const backend: Program = { file: 'backend.mjs', command: () => [process.execPath, 'backend.mjs'] }
const signaling: Program = { file: 'signaling.mjs', command: () => [process.execPath, 'signaling.mjs'] }
/** Where `npm run proof -- peers` installs. */
const peers = 'proof/peers/node_modules'

const jars = [
  ...['aop', 'beans', 'context', 'core', 'expression', 'web', 'web.servlet'].map((name) => `spring3-${name}`),
  ...['annotations-api', 'api', 'catalina', 'coyote', 'jaspic-api', 'jni', 'juli', 'servlet-api'].map(
    (name) => `tomcat9-${name}`,
  ),
  ...['tomcat9-util', 'tomcat9-util-scan', 'commons-logging'],
  ...['annotations', 'core', 'databind'].map((name) => `jackson-${name}`),
]

/** Java reads its trusted authorities from a PKCS#12 file. */
const startSpring = `
export JAVA_TOOL_OPTIONS='-XX:TieredStopAtLevel=1 -XX:+UseSerialGC' CLASSPATH="classes:${jars.map((name) => `/usr/share/java/${name}.jar`).join(':')}"
keytool -importcert -noprompt -file "$SSL_CERT_FILE" -keystore trusted -storepass trusted
javac -d classes ./*.java
exec java -Djavax.net.ssl.trustStore=trusted -Djavax.net.ssl.trustStorePassword=trusted backend.Backend`

/** Debian has no Spring Boot: these do what the blocks need of it. */
const bootInDebian = ['SpringApplication.java', 'SpringBootApplication.java']

/** Python and Ruby are those of Debian: a version manager may come before them on the PATH. */
const programs: Readonly<Record<RunFramework, Program>> = {
  express: backend,
  fastify: { ...backend, packages: peers },
  fastapi: {
    file: 'backend.py',
    command: (port) => ['/usr/bin/python3', '-m', 'uvicorn', 'backend:app', '--port', String(port)],
  },
  rails: {
    file: 'config.ru',
    command: (port) => ['/usr/bin/puma', '--bind', `tcp://127.0.0.1:${port}`, '--threads', '32', 'config.ru'],
  },
  spring: { file: 'Backend.java', command: () => ['/bin/sh', '-ec', startSpring] },
  ws: signaling,
  'socket.io': { ...signaling, packages: peers },
}

export interface StartedProgram extends AsyncDisposable {
  readonly port: number
  /** Where its output goes. */
  readonly logFile: string
}

const root = join(import.meta.dirname, '../..')
/** A compiler and a virtual machine begin slowly beside other work. */
const readySeconds = 180
const graceMs = 5_000

/**
 * Assembles the blocks of a framework, in their order, and starts the program that they are.
 * @throws Error with what it printed, where it does not answer
 */
export async function startBlocks(
  framework: RunFramework,
  blocks: readonly Block[],
  environment: NodeJS.ProcessEnv,
): Promise<StartedProgram> {
  await using stack = new AsyncDisposableStack()
  const { file, command, packages = 'node_modules' } = programs[framework]
  // Below the packages, so that the modules of the pages find them.
  const folder = stack.adopt(await mkdtemp(join(root, packages, '.fixes-')), (path) =>
    rm(path, { recursive: true, force: true }),
  )
  const { port } = stack.use(await reservePort())
  const codes = blocks.map(({ code }) => code)
  await writeFile(join(folder, file), joinBlocks(framework, codes))
  if (framework === 'spring')
    for (const name of bootInDebian) await copyFile(join(import.meta.dirname, name), join(folder, name))
  const logFile = join(folder, 'program.log')
  await writeFile(logFile, '')
  const program = startProcessGroup({
    file: '/bin/sh',
    args: ['-c', 'exec "$@" >>program.log 2>&1', 'sh', ...command(port)],
    directory: folder,
    environment: { PATH: '/usr/bin:/bin', PORT: String(port), ...environment },
  })
  stack.defer(() => program.stop(graceMs))
  const silent = await waitForAddresses([{ key: framework, url: `http://127.0.0.1:${port}/` }], {
    seconds: readySeconds,
    isOver: () => program.state() !== null,
    signal: AbortSignal.timeout(2 * readySeconds * 1000),
  })
  if (silent.length > 0) {
    const how = program.state() ?? silent.join('; ')
    throw new Error(`the program of ${framework} ${how}\n${await readFile(logFile, 'utf8')}`)
  }
  const started = stack.move()
  return { port, logFile, [Symbol.asyncDispose]: () => started.disposeAsync() }
}

/** One file: in Java, imports come before all classes. */
function joinBlocks(framework: Framework, blocks: readonly string[]): string {
  return frameworks[framework].language === 'java' ? joinJava(blocks) : blocks.join('\n')
}

function joinJava(blocks: readonly string[]): string {
  const isImport = (line: string) => line.startsWith('import ')
  const lines = blocks.map((block) => block.split('\n'))
  const imports = [...new Set(lines.flat().filter(isImport))].toSorted()
  const classes = lines.map((all) =>
    all
      .filter((line) => !isImport(line))
      .join('\n')
      .trim(),
  )
  return `package backend;\n\n${imports.join('\n')}\n\n${classes.join('\n\n')}\n`
}
