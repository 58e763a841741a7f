/** Sections of a WebAssembly module (https://webassembly.github.io/spec/core/binary/modules.html). */
const WASM_MEMORY_SECTION = 5;
/** Bytes of the magic number and the version. */
const WASM_HEADER_BYTES = 8;

/** An unsigned number in LEB128, and where the next byte is. */
function readLeb128(bytes: Uint8Array, at: number): { value: number; next: number } {
  let value = 0;
  for (let shift = 0; ; shift += 7, at += 1) {
    const byte = bytes[at] ?? 0;
    value += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) return { value, next: at + 1 };
  }
}

function encodeLeb128(value: number): number[] {
  const bytes = [];
  for (; value >= 0x80; value = Math.floor(value / 128)) bytes.push((value % 128) | 0x80);
  return [...bytes, value];
}

/**
 * The module with a maximum for the one memory that it defines, in pages of 64 KiB. The host can limit only memories
 * that it makes itself and the module imports.
 */
export function limitWasmMemory(module: Uint8Array, maxPages: number): Uint8Array<ArrayBuffer> {
  for (let start = WASM_HEADER_BYTES; start < module.length;) {
    const { value: size, next: content } = readLeb128(module, start + 1);
    const end = content + size;
    if (module[start] === WASM_MEMORY_SECTION) {
      const { value: initial } = readLeb128(module, content + 2);
      const limits = [1, 1, ...encodeLeb128(initial), ...encodeLeb128(maxPages)];
      const section = [WASM_MEMORY_SECTION, ...encodeLeb128(limits.length), ...limits];
      return Buffer.concat([module.subarray(0, start), Buffer.from(section), module.subarray(end)]);
    }
    start = end;
  }
  throw new Error('The module defines no memory.');
}
