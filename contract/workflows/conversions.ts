/** The formats of the convert node. `file`: bytes of any kind, as they are. */
export const CONVERSION_FORMATS = [
  'csv',
  'xlsx',
  'json',
  'ndjson',
  'xml',
  'html',
  'markdown',
  'text',
  'pdf',
  'eml',
  'zip',
  'gzip',
  'base64',
  'file',
] as const;
export type ConversionFormat = (typeof CONVERSION_FORMATS)[number];

/** The encodings of texts in files. */
export const TEXT_ENCODINGS = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'latin1',
  'iso-8859-1',
  'iso-8859-2',
  'iso-8859-15',
  'windows-1250',
  'windows-1251',
  'windows-1252',
  'windows-1253',
  'windows-1254',
  'macintosh',
  'koi8-r',
  'shift_jis',
  'euc-jp',
  'euc-kr',
  'gbk',
  'gb18030',
  'big5',
] as const;
export type TextEncoding = (typeof TEXT_ENCODINGS)[number];

/** Targets that contain the bytes of the source unchanged, whatever its format. */
const PACKED_FORMATS = ['zip', 'gzip', 'base64', 'file'] as const;

/** The formats that each format can be converted to. */
export const CONVERSION_TARGETS: Readonly<Record<ConversionFormat, readonly ConversionFormat[]>> = {
  csv: ['json', 'ndjson', 'xlsx', 'html', 'markdown', ...PACKED_FORMATS],
  xlsx: ['json', 'ndjson', 'csv', 'html', 'markdown', ...PACKED_FORMATS],
  json: ['csv', 'xlsx', 'ndjson', 'xml', 'html', 'markdown', 'text', ...PACKED_FORMATS],
  ndjson: ['json', 'csv', 'xlsx', 'html', 'markdown', ...PACKED_FORMATS],
  xml: ['json', ...PACKED_FORMATS],
  html: ['json', 'text', 'markdown', ...PACKED_FORMATS],
  markdown: ['html', 'text', ...PACKED_FORMATS],
  text: ['json', 'text', ...PACKED_FORMATS],
  pdf: ['text', 'json', ...PACKED_FORMATS],
  eml: ['json', 'text', ...PACKED_FORMATS],
  zip: ['json', 'file'],
  gzip: ['text', 'json', 'base64', 'file'],
  base64: ['text', 'json', 'gzip', 'file'],
  file: ['text', 'zip', 'gzip', 'base64'],
};

/** Formats whose content is bytes: their source is a file, and so is their result. */
const BINARY_FORMATS: readonly ConversionFormat[] = ['xlsx', 'pdf', 'zip', 'gzip', 'file'];

export const isBinaryFormat = (format: ConversionFormat): boolean => BINARY_FORMATS.includes(format);

/** The media type and the extension of files of each format. */
export const FORMAT_FILE_TYPES: Readonly<Record<ConversionFormat, { contentType: string; extension: string }>> = {
  csv: { contentType: 'text/csv', extension: 'csv' },
  xlsx: { contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', extension: 'xlsx' },
  json: { contentType: 'application/json', extension: 'json' },
  ndjson: { contentType: 'application/x-ndjson', extension: 'ndjson' },
  xml: { contentType: 'application/xml', extension: 'xml' },
  html: { contentType: 'text/html', extension: 'html' },
  markdown: { contentType: 'text/markdown', extension: 'md' },
  text: { contentType: 'text/plain', extension: 'txt' },
  pdf: { contentType: 'application/pdf', extension: 'pdf' },
  eml: { contentType: 'message/rfc822', extension: 'eml' },
  zip: { contentType: 'application/zip', extension: 'zip' },
  gzip: { contentType: 'application/gzip', extension: 'gz' },
  base64: { contentType: 'text/plain', extension: 'txt' },
  file: { contentType: 'application/octet-stream', extension: 'bin' },
};

/** Options that only depend on the source format. */
const SOURCE_FORMAT_OPTIONS: Partial<Record<ConversionFormat, readonly string[]>> = {
  csv: ['delimiter', 'quote', 'header', 'headerRow', 'types', 'encoding'],
  xlsx: ['sheet', 'header', 'headerRow'],
  json: ['encoding'],
  ndjson: ['encoding'],
  xml: ['types', 'lists', 'encoding'],
  html: ['encoding'],
  markdown: ['encoding'],
  text: ['encoding'],
  pdf: ['password'],
  gzip: ['encoding'],
  base64: ['encoding'],
  file: ['encoding'],
};

/** Options that only depend on the target format. */
const TARGET_FORMAT_OPTIONS: Partial<Record<ConversionFormat, readonly string[]>> = {
  csv: ['delimiter', 'header', 'columns', 'escapeFormulas', 'bom', 'outputEncoding'],
  xlsx: ['sheet', 'header', 'columns', 'types'],
  xml: ['root', 'indent'],
};

/** Options that only one pair of source and target has. */
const EXTRA_PAIR_OPTIONS: Readonly<Record<string, readonly string[]>> = {
  'csv html': ['columns'],
  'xlsx html': ['columns'],
  'json html': ['columns'],
  'ndjson html': ['columns'],
  'csv markdown': ['columns'],
  'xlsx markdown': ['columns'],
  'json markdown': ['columns'],
  'ndjson markdown': ['columns'],
  'html json': ['select'],
  'markdown html': ['rawHtml'],
  'json text': ['indent'],
  'text text': ['outputEncoding'],
};

/**
 * The options that a conversion takes. Packing and unpacking take no format options, because the content is not parsed.
 */
export function conversionOptions(from: ConversionFormat, to: ConversionFormat): string[] {
  if (from === 'zip') return [];
  const isUnread = PACKED_FORMATS.some((one) => one === to);
  const reading = isUnread
    ? []
    : [
        ...(SOURCE_FORMAT_OPTIONS[from] ?? []),
        ...(TARGET_FORMAT_OPTIONS[to] ?? []),
        ...(EXTRA_PAIR_OPTIONS[`${from} ${to}`] ?? []),
      ];
  const asFile = isBinaryFormat(to) ? [] : ['asFile'];
  return [...new Set([...reading, ...asFile, 'name', ...(to === 'file' ? ['contentType'] : [])])];
}

/** The options of every pair, by `from to`. */
export const OPTIONS_BY_PAIR: Readonly<Record<string, string[]>> = Object.fromEntries(
  CONVERSION_FORMATS.flatMap((from) =>
    CONVERSION_TARGETS[from].map((to) => [`${from} ${to}`, conversionOptions(from, to)]),
  ),
);
