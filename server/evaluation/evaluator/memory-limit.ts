/** Sections of a WebAssembly module (https://webassembly.github.io/spec/core/binary/modules.html). */
const MEMORY_SECTION = 5;
/** Bytes of the magic number and the version. */
const HEADER_BYTES = 8;

/** An unsigned number in LEB128, and where the next byte is. */
function readNumber(bytes: Uint8Array, at: number): { value: number; next: number } {
  let value = 0;
  for (let shift = 0; ; shift += 7, at += 1) {
    const byte = bytes[at] ?? 0;
    value += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) return { value, next: at + 1 };
  }
}

function numberBytes(value: number): number[] {
  const bytes = [];
  for (; value >= 0x80; value = Math.floor(value / 128)) bytes.push((value % 128) | 0x80);
  return [...bytes, value];
}

/**
 * The module with a maximum for the one memory that it defines, in pages of 64 KiB. The host can limit only memories that it makes itself
 * and the module imports.
 */
export function withMaximum(module: Uint8Array, maxPages: number): Uint8Array<ArrayBuffer> {
  for (let start = HEADER_BYTES; start < module.length;) {
    const { value: size, next: content } = readNumber(module, start + 1);
    const end = content + size;
    if (module[start] === MEMORY_SECTION) {
      const { value: initial } = readNumber(module, content + 2);
      const limits = [1, 1, ...numberBytes(initial), ...numberBytes(maxPages)];
      const section = [MEMORY_SECTION, ...numberBytes(limits.length), ...limits];
      return Buffer.concat([module.subarray(0, start), Buffer.from(section), module.subarray(end)]);
    }
    start = end;
  }
  throw new Error('The module defines no memory.');
}
