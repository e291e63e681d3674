import { fillBinary, parseBinaryTemplate, readBinary } from './binary-template.ts'
import type { SignalingEvent } from './event-log.ts'
import { type Credential, fillMessage, inReplyTo, readMessage } from './template.ts'

/** How a profile and the memory hold the messages of a service: as texts, or as base64 of their bytes. */
export interface MessageCodec {
  /** A template with the credential in its place; null where the credential is too long for it. */
  fill(template: string, credential: Credential): string | null
  /** Reads the values of the placeholders in a message; null where it is not of the template's form. */
  read(template: string, message: string): Credential | null
  /** The response to a message of the template's form. */
  inReplyTo(template: string, message: string, reply: string): string
  startsWith(message: string, start: string): boolean
  /** Returns the content of the message as a reader finds it: JSON, names, secrets. */
  toContent(message: string): Pick<SignalingEvent, 'text' | 'base64'>
  /** The message for the record, in which a token can be read and so be hidden: no base64. */
  toRecord(message: string): string
  toFrame(message: string): string | Buffer
  /** Frames of the other kind are read as well: those who look at `isOfKind` know. */
  fromFrame(data: Buffer | ArrayBuffer | Buffer[]): string
  isOfKind(isBinary: boolean): boolean
}

export const textCodec: MessageCodec = {
  fill: fillMessage,
  read: readMessage,
  inReplyTo,
  startsWith: (message, start) => message.startsWith(start),
  toContent: (text) => ({ text }),
  toRecord: (text) => text,
  toFrame: (message) => message,
  fromFrame: (data) => new TextDecoder().decode(bytesOf(data)),
  // As most clients and services do that decode before they look.
  isOfKind: () => true,
}

const base64Codec: MessageCodec = {
  fill: (template, credential) => fillBinary(parsed(template), credential)?.toString('base64') ?? null,
  read: (template, message) => readBinary(parsed(template), Buffer.from(message, 'base64')),
  inReplyTo: (_template, _message, reply) => reply,
  startsWith(message, start) {
    const wanted = Buffer.from(start, 'base64')
    return Buffer.from(message, 'base64').subarray(0, wanted.length).equals(wanted)
  },
  toContent: (base64) => ({ text: Buffer.from(base64, 'base64').toString('utf8'), base64 }),
  toRecord: readBytes,
  toFrame: (message) => Buffer.from(message, 'base64'),
  fromFrame: (data) => bytesOf(data).toString('base64'),
  isOfKind: (isBinary) => isBinary,
}

export function codecOf(profile: { readonly binary?: 'base64' }): MessageCodec {
  return profile.binary === undefined ? textCodec : base64Codec
}

/** Bytes of base64 as text with escapes: `\\x80ok`. */
export function readBytes(base64: string): string {
  const escaped = (byte: string) => `\\x${byte.charCodeAt(0).toString(16).padStart(2, '0')}`
  return Buffer.from(base64, 'base64')
    .toString('latin1')
    .replaceAll(/[^ -~]/g, escaped)
}

function bytesOf(data: Buffer | ArrayBuffer | Buffer[]): Buffer {
  if (Array.isArray(data)) return Buffer.concat(data)
  return Buffer.isBuffer(data) ? data : Buffer.from(data)
}

/** The profile was checked when it was read. */
function parsed(template: string) {
  const read = parseBinaryTemplate(template)
  if ('fault' in read) throw new Error(`a template ${read.fault}`)
  return read
}
