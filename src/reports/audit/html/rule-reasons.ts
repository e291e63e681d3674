const readable =
  'Anyone who installs the app or opens the page can read it and mint calling tokens for every user.'
const unread = 'What cannot be read may contain a key, so the audit is incomplete.'

/** Why each rule matters, for readers who have not read the specification. */
export const ruleReasons: Readonly<Record<string, string>> = {
  'AUD-001': readable,
  'AUD-002': 'If it is a key, anyone who has the app can mint calling tokens with it.',
  'AUD-003': 'It is most likely a name in the code. The audit lists it so that you can tell.',
  'AUD-004':
    'Code that contains the prefix may assemble a key at run time, which no audit of a file can follow.',
  'AUD-005': `The script puts the key together when it runs. ${readable}`,
  'AUD-006': `Encoding does not protect a key. ${readable}`,
  'AUD-007': `An XOR with one byte does not protect a key. ${readable}`,
  'AUD-010': 'Anyone who has the app can connect to signaling as the user of this token until it expires.',
  'AUD-020':
    'An app that mints needs the server key. Calls to the mint belong in a backend that has checked the session.',
  'AUD-021':
    'If this is the mint and not a route of your own backend, the app needs the server key to call it.',
  'AUD-030': 'It shows sources and settings that the release does not need, and often a key.',
  'AUD-090': unread,
  'AUD-091': unread,
  'AUD-092': unread,
  'AUD-093': unread,
  'AUD-094': unread,
  'AUD-095': 'A path that contains nothing proves nothing about what ships.',
  'AUD-096': 'Every byte was searched, but a string that only the format can put together may be missed.',
  'AUD-097':
    'Two headers describe the same entry differently: programs that open it may see another content than the audit.',
  'AUD-098': 'A key may be among the strings that the script decodes only when it runs.',
}
