import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')
const read = (file: string) => readFile(join(root, file), 'utf8')

/** `owner/name` of `repository` in `package.json`: the one place to change when the project moves. */
export async function readAddress(): Promise<string> {
  const { repository } = JSON.parse(await read('package.json'))
  const [, address] = /^git\+https:\/\/github\.com\/([\w.-]+\/[\w.-]+)\.git$/.exec(repository?.url) ?? []
  if (address === undefined)
    throw new Error(
      `repository.url of package.json is ${repository?.url}; expected git+https://github.com/OWNER/NAME.git`,
    )
  return address
}

/** Gives every file that names the project's address, with the address of `package.json`. */
export async function renderAddressed(): Promise<Readonly<Record<string, string>>> {
  const address = await readAddress()
  const [owner] = address.split('/')
  const url = `https://github.com/${address}`
  const manifest = async (file: string, directory?: string) =>
    `${JSON.stringify(
      {
        ...JSON.parse(await read(file)),
        homepage: `${url}#readme`,
        bugs: `${url}/issues`,
        repository: { type: 'git', url: `git+${url}.git`, directory },
      },
      null,
      2,
    )}\n`
  return {
    'package.json': await manifest('package.json'),
    'audit/package.json': await manifest('audit/package.json', 'audit'),
    'docs/ci.md': (await read('docs/ci.md'))
      .replace(/(uses: )[\w.-]+\/twotoken(?=@)/g, `$1${address}`)
      .replace(/(repo: )https:\/\/\S+/g, `$1${url}`),
    '.github/CODEOWNERS': `${codeOwners.map(([path, team]) => `${path} @${owner}/${team}`).join('\n')}\n`,
  }
}

/** Teams that review a change; the last line that matches counts. */
const codeOwners: readonly (readonly [path: string, team: string])[] = [
  ['*', 'maintainers'],
  ['/audit/', 'audit'],
  // A change here runs in the pipelines of users, or publishes a release.
  ['/.github/', 'release'],
  ['/action.yml', 'release'],
  ['/templates/', 'release'],
  ['/.pre-commit-hooks.yaml', 'release'],
]
