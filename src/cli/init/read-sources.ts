import { existsSync } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'

/** A file of a project, with the path from its folder. */
export interface SourceFile {
  readonly path: string
  readonly text: string
}

const extensions = new Set(
  '.js .mjs .cjs .ts .mts .cts .jsx .tsx .py .rb .java .kt .go .php .cs .ru'.split(' '),
)
/** Folders of packages, builds and tests: their routes and variables are not those of the backend. */
const skipped =
  /^(?:\..*|node_modules|vendor|dist|build|out|target|coverage|tmp|log|public|static|assets|__pycache__|venv|env|site-packages|migrations|tests?|__tests__|specs?|twotoken-results)$/
/** Says whether a folder of assets is what PHP serves: it has the front controller then. */
const isPhpRoot = (folder: string) => folder === 'public'
const testFile = /\.(?:test|spec)\.\w+$|^test_.*\.py$|_(?:test|spec)\.\w+$/
const largestFile = 262_144
const mostFiles = 2_000

/** Reads the sources of a project, the files of a folder before those below it. Links are not followed. */
export async function readSources(directory: string): Promise<SourceFile[]> {
  const files: SourceFile[] = []
  const folders = [directory]
  for (const folder of folders) {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
    for (const entry of entries.toSorted((one, two) => (one.name < two.name ? -1 : 1))) {
      const path = join(folder, entry.name)
      const isRead =
        !skipped.test(entry.name) || (isPhpRoot(entry.name) && existsSync(join(path, 'index.php')))
      if (entry.isDirectory() && isRead) folders.push(path)
      if (!entry.isFile() || !extensions.has(extname(entry.name)) || testFile.test(entry.name)) continue
      if (files.length >= mostFiles) return files
      const { size } = await stat(path)
      if (size > largestFile) continue
      const text = await readFile(path, 'utf8').catch(() => '')
      files.push({ path: relative(directory, path).split(sep).join('/'), text })
    }
  }
  return files
}
