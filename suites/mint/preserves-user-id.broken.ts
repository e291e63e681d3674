import { randomUUID } from 'node:crypto'
import { ofMint, rows, warning } from '../lib/broken-rows.ts'
import { claiming, jsonAnswer } from './lib/variant-answers.ts'

const changes: Readonly<Record<string, (id: string) => string>> = {
  'folds the id within a fixed frame': (id) => `user:${id.toLowerCase()}@calling`,
  'folds case': (id) => id.toLowerCase(),
  'trims the id': (id) => id.trim(),
  'folds the case of addresses': (id) => (/@/.test(id) ? id.toLowerCase() : id),
  'drops the tag of an address': (id) => id.replace(/\+[^@]*@/, '@'),
  'drops invisible characters': (id) => id.replace(/\p{Cf}/gu, ''),
  'drops a dot at the end': (id) => id.replace(/\.$/, ''),
  'cuts ids at 255 characters': (id) => id.slice(0, 255),
  'cuts ids at 1024 characters': (id) => id.slice(0, 1024),
  'squeezes blanks': (id) => id.replace(/ +/g, ' '),
  'composes Unicode': (id) => id.normalize('NFC'),
  'decomposes Unicode': (id) => id.normalize('NFD'),
  'drops what is not ASCII': (id) => id.replace(/[^ -~]/g, ''),
  'reads a plus as a blank': (id) => id.replaceAll('+', ' '),
  'decodes percent signs': (id) => decodeURIComponent(id.replace(/%(?![0-9a-f]{2})/gi, '%25')),
  'escapes for HTML': (id) => id.replaceAll('&', '&amp;').replaceAll('<', '&lt;'),
  'takes what is before the bar': (id) => id.split('|')[0] ?? '',
  'reads digits as a number': (id) => (/^\d+$/.test(id) ? String(Number(id)) : id),
}

const failed = jsonAnswer({ error: 'failed' }, 500)

export const broken = {
  ...rows(changes, (change) => ({ mint: { userId: (value) => change(String(value)) } })),
  ...ofMint({
    'keeps its users in a plain object, and names inherited ones otherwise': {
      userId(value) {
        const users: Record<string, unknown> = {}
        users[String(value)] ??= value
        return String(users[String(value)])
      },
    },
    'has one subject for all': { userId: () => 'subject' },
    'puts another text before each id': claiming((_, { userId }) => ({ sub: `${randomUUID()}:${userId}` })),
  }),
  ...warning(
    ofMint({
      'fails for every id but plain ones': {
        answer: (usual, { body }) => (/"userId":"[\w.-]{1,60}"/.test(body ?? '') ? usual : failed),
      },
      'keeps its users in a plain object, and fails for inherited names': {
        answer: (usual, { body }) => (String(JSON.parse(body ?? '{}').userId) in {} ? failed : usual),
      },
      'folds and cuts the subject, and copies the id elsewhere': claiming((_, { userId }) => ({
        sub: userId.toLowerCase().slice(0, 64),
        uid: userId,
      })),
    }),
  ),
}
