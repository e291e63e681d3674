import { binaryXml, resourceTable } from './planters/android-resources.js';
import { binaryPropertyList } from './planters/bplist.js';
import { classFile } from './planters/class-file.js';
import { dex } from './planters/dex.js';
import { hermes } from './planters/hermes.js';
import { javascript } from './planters/javascript.js';
import { json, sourceMap } from './planters/json.js';
import { environmentFile, html, plainText, stringsFile, utf16Text, xml, xmlPropertyList, } from './planters/lines.js';
import { binary, elf, machO, sqlite } from './planters/native.js';
import { resourceProtobuf, xmlProtobuf } from './planters/protobuf.js';
import { webAssembly } from './planters/wasm.js';
/** The first that recognises a file takes it; the last two take what is left. */
export const planters = [
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
];
