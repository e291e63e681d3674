const fence = /^\s*```(\w*)/

/**
 * Every `npx twotoken …`, `npx twotoken-audit …` and `npm run …` of a page: lines of shell blocks, and `inline code` that begins so. Ellipses and
 * names in capitals are what a reader puts in.
 * @returns the words of each, from the program on, quotes gone
 */
export function findCommands(page: string): string[][] {
  let language: string | null = null
  return page.split('\n').flatMap((content) => {
    const [opened, name = ''] = fence.exec(content) ?? []
    if (opened !== undefined) {
      language = language === null ? name : null
      return []
    }
    const shell = language === null ? inlineCode(content) : isShell(language) ? content.split(/&&|\|\|/) : []
    return shell
      .map((one) => wordsOf(one.replace(/\s#\s.*$/, '')))
      .flatMap((words) => {
        const start = words.findIndex((word) => isProgram(word) || word === 'npm')
        const own = start === -1 ? [] : words.slice(start)
        const isOurs = isProgram(own[0]) || own[1] === 'run'
        return isOurs && own.length > 1 ? [own] : []
      })
  })
}

function isProgram(word: string | undefined): boolean {
  return word === 'twotoken' || word === 'twotoken-audit'
}

function isShell(language: string): boolean {
  return ['', 'sh', 'bash', 'console'].includes(language)
}

function inlineCode(content: string): string[] {
  return [...content.matchAll(/`((?:npx |npm )[^`]+)`/g)].map(([, code = '']) => code)
}

function wordsOf(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, one, two, three]) => one ?? two ?? three ?? '',
  )
}
