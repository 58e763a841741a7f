/** The first bytes of binary file formats, with the words that an error message uses for each format. */
const FILE_SIGNATURES: readonly [kind: string, bytes: string][] = [
  ['a ZIP archive, such as a spreadsheet (xlsx) or a document (docx)', 'PK\x03\x04'],
  ['an empty ZIP archive', 'PK\x05\x06'],
  ['a PDF document', '%PDF-'],
  ['compressed by gzip', '\x1f\x8b'],
  ['an old file of Office (xls, doc) or one with a password', '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'],
  ['a picture (PNG)', '\x89PNG\r\n'],
  ['a picture (JPEG)', '\xff\xd8\xff'],
  ['a picture (GIF)', 'GIF8'],
  ['a 7z archive', '7z\xbc\xaf\x27\x1c'],
  ['a RAR archive', 'Rar!\x1a\x07'],
  ['compressed by bzip2', 'BZh'],
  ['compressed by xz', '\xfd7zXZ'],
  ['compressed by zstd', '\x28\xb5\x2f\xfd'],
];

/** Names the binary format that the first bytes belong to. Undefined: the file may be text. */
export function detectBinaryContent(bytes: Uint8Array): string | undefined {
  const start = String.fromCharCode(...bytes.subarray(0, 16));
  return FILE_SIGNATURES.find(([, beginning]) => start.startsWith(beginning))?.[0];
}
