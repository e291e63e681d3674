/** A program that makes readable what the audit cannot read, by what a gap says; many gaps name theirs. FILE is the file. */
const tools: readonly (readonly [reason: RegExp, tool: string])[] = [
  [/\bunpack it with\b/, ''],
  [/\bUnity bundle/, 'UnityPy or AssetRipper'],
  [/^encrypted file/, 'gpg -d, age -d or openssl enc -d, with your key'],
  [/\bencrypted\b(?!.*FairPlay)|\bpassword/i, '7z x FILE, with the password'],
  [
    /containers deep|too large to be opened|over the size limit|entries or bytes/,
    '7z x FILE, then audit the folder',
  ],
]

/** The tool for a gap; `null` where none is of use, or the reason names it. */
export function toolFor(reason: string): string | null {
  return tools.find(([pattern]) => pattern.test(reason))?.[1] || null
}
