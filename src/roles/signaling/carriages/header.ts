import { z } from 'zod'
import * as leaf from '../../../base/schema/leaves.ts'
import { fillText, readText } from '../template.ts'
import { readHeader } from '../upgrade-request.ts'
import { defineCarriage } from './carriage-kind.ts'
import { splitHeaders } from './split-headers.ts'

export const header = defineCarriage({
  schema: z.strictObject({
    in: z.literal('header'),
    name: leaf.sentName,
    template: leaf
      .text(
        'text that contains {jwt}, in one line',
        (value) => value.includes('{jwt}') && leaf.isPrintable(value),
      )
      .describe('The value of the header, such as Bearer {jwt}'),
  }),
  send: ({ name, template }, credential) =>
    credential.jwt !== null || !template.includes('{jwt}')
      ? { headers: [[name, fillText(template, credential)]] }
      : {},
  read: {
    from: 'upgrade',
    find: ({ name, template }, request) =>
      readText(template, readHeader(request, name) ?? '') ?? { jwt: null, userId: null },
  },
  split: ({ name }, join) => splitHeaders(join, name),
})
