import type { Planter } from './planter.ts'
import { binaryXml, resourceTable } from './planters/android-resources.ts'
import { binaryPropertyList } from './planters/bplist.ts'
import { classFile } from './planters/class-file.ts'
import { dex } from './planters/dex.ts'
import { hermes } from './planters/hermes.ts'
import { javascript } from './planters/javascript.ts'
import { json, sourceMap } from './planters/json.ts'
import {
  environmentFile,
  html,
  plainText,
  stringsFile,
  utf16Text,
  xml,
  xmlPropertyList,
} from './planters/lines.ts'
import { binary, elf, machO, sqlite } from './planters/native.ts'
import { resourceProtobuf, xmlProtobuf } from './planters/protobuf.ts'
import { webAssembly } from './planters/wasm.ts'

/** The first that recognises a file takes it; the last two take what is left. */
export const planters: readonly Planter[] = [
  dex,
  hermes,
  resourceTable,
  binaryXml,
  binaryPropertyList,
  classFile,
  machO,
  elf,
  webAssembly,
  sqlite,
  resourceProtobuf,
  xmlProtobuf,
  environmentFile,
  utf16Text,
  sourceMap,
  javascript,
  html,
  xmlPropertyList,
  stringsFile,
  xml,
  json,
  plainText,
  binary,
]
