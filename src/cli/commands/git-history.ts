import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { TwotokenError } from '../../base/errors.ts'
import { onOneLine } from '../../base/printable.ts'

/** The folder that the locations of findings begin with: `git/COMMIT/path`. */
export const historyFolder = 'git'
const shownOfCommit = 12

/** Files as commits of a range brought them in, each content once, in a folder that is gone afterwards. */
export interface GitHistory extends AsyncDisposable {
  readonly directory: string
}

/**
 * Writes every content that the commits of a range brought in, at its path below the first commit with it.
 * @throws TwotokenError `usage` where git knows no such range, or is not there
 */
export async function openHistory(range: string, repository: string): Promise<GitHistory> {
  await using stack = new AsyncDisposableStack()
  const directory = await mkdtemp(join(tmpdir(), 'twotoken-git-'))
  stack.defer(() => rm(directory, { recursive: true, force: true }))
  const places = listContents(await readLog(range, repository))
  const root = join(directory, historyFolder)
  await mkdir(root)
  // A path of the whole repository may be any text: none leads out of the folder.
  for await (const [content, bytes] of readContents([...places.keys()], repository)) {
    const file = join(root, places.get(content) ?? content)
    if (relative(root, file).startsWith('..')) continue
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, bytes)
  }
  const owned = stack.move()
  return { directory, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

async function readLog(range: string, repository: string): Promise<string> {
  const revisions = range.split(/\s+/).filter((revision) => revision !== '')
  const format = ['--format=commit %H', '--raw', '-z', '--no-abbrev', '--no-renames', '--root', '-m']
  const order = ['--reverse', '--topo-order', '--no-ext-diff', '--no-textconv']
  const git = startGit(['log', ...format, ...order, '--end-of-options', ...revisions, '--'], repository)
  git.stdin.end()
  const [log] = await Promise.all([buffer(git.stdout), git.ended])
  return log.toString('utf8')
}

/** The path of each content by its hash: files that were added or changed, and no submodules. */
function listContents(log: string): Map<string, string> {
  const places = new Map<string, string>()
  let commit = ''
  const fields = log.split('\0')
  for (const [index, field] of fields.entries()) {
    const [, hash] = /^\n?commit ([\da-f]{40,64})$/.exec(field) ?? []
    if (hash !== undefined) commit = hash.slice(0, shownOfCommit)
    const [, content] = /^\n?:\d{6} 1[02]\d{4} [\da-f]+ ([\da-f]+) [AMT]$/.exec(field) ?? []
    const path = fields[index + 1]
    if (content !== undefined && path !== undefined && !places.has(content))
      places.set(content, `${commit}/${path}`)
  }
  return places
}

/** Asks one git for all contents, one after the other. */
async function* readContents(
  contents: readonly string[],
  repository: string,
): AsyncGenerator<readonly [content: string, bytes: Buffer]> {
  const git = startGit(['cat-file', '--batch'], repository)
  git.stdin.end(contents.map((content) => `${content}\n`).join(''))
  const chunks = git.stdout[Symbol.asyncIterator]()
  let parts: Buffer[] = []
  let length = 0
  const pull = async () => {
    const { value, done } = await chunks.next()
    if (done === true) await git.ended
    if (done === true) throw unreadable('git ended before it had written all files', repository)
    parts.push(value)
    length += value.length
  }
  const take = async (wanted: number) => {
    while (length < wanted) await pull()
    const all = Buffer.concat(parts)
    parts = [all.subarray(wanted)]
    length -= wanted
    return all.subarray(0, wanted)
  }
  const takeLine = async () => {
    let end = Buffer.concat(parts).indexOf('\n')
    for (; end < 0; end = Buffer.concat(parts).indexOf('\n')) await pull()
    return (await take(end + 1)).toString('latin1').trimEnd()
  }
  for (const content of contents) {
    const [, type, size = ''] = (await takeLine()).split(' ')
    if (type !== 'blob') throw unreadable(`git has no file ${content}`, repository)
    yield [content, await take(Number(size))]
    await take(1)
  }
  await git.ended
}

/** Starts the system's git; `ended` rejects where it fails. */
function startGit(args: readonly string[], repository: string) {
  const git = spawn('git', ['--no-pager', '-c', 'core.quotePath=false', ...args], {
    cwd: repository,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  git.stdin.on('error', () => undefined)
  const failed = buffer(git.stderr)
  const ended = new Promise<void>((done, fail) => {
    git.once('error', (cause) => fail(unreadable('git does not start: install it', repository, cause)))
    git.once('close', async (code) => {
      const [said = ''] = (await failed).toString('utf8').trim().split('\n')
      if (code === 0) done()
      else fail(unreadable(said, repository))
    })
  })
  ended.catch(() => undefined)
  return { stdin: git.stdin, stdout: git.stdout, ended }
}

function unreadable(said: string, repository: string, cause?: unknown): TwotokenError {
  return new TwotokenError(
    'usage',
    `--git cannot read ${repository}: ${onOneLine(said)}; give a range such as main..HEAD, or HEAD for the whole history`,
    cause,
  )
}
