export function fieldsOf(bytes, isLittle, isWide) {
    const u32 = (at) => (isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at));
    const u64 = (at) => Number(isLittle ? bytes.readBigUInt64LE(at) : bytes.readBigUInt64BE(at));
    return { u32, word: isWide ? u64 : u32 };
}
