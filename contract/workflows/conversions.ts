/** The formats of the convert node. `file`: bytes of any kind, as they are. */
export const FORMATS = [
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
export type Format = (typeof FORMATS)[number];

/** The encodings of texts in files. */
export const ENCODINGS = [
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
export type Encoding = (typeof ENCODINGS)[number];

/** Targets that contain the content of any source unchanged. */
const PACKED = ['zip', 'gzip', 'base64', 'file'] as const;

/** What each format can become. */
export const TARGETS: Readonly<Record<Format, readonly Format[]>> = {
  csv: ['json', 'ndjson', 'xlsx', 'html', 'markdown', ...PACKED],
  xlsx: ['json', 'ndjson', 'csv', 'html', 'markdown', ...PACKED],
  json: ['csv', 'xlsx', 'ndjson', 'xml', 'html', 'markdown', 'text', ...PACKED],
  ndjson: ['json', 'csv', 'xlsx', 'html', 'markdown', ...PACKED],
  xml: ['json', ...PACKED],
  html: ['json', 'text', 'markdown', ...PACKED],
  markdown: ['html', 'text', ...PACKED],
  text: ['json', 'text', ...PACKED],
  pdf: ['text', 'json', ...PACKED],
  eml: ['json', 'text', ...PACKED],
  zip: ['json', 'file'],
  gzip: ['text', 'json', 'base64', 'file'],
  base64: ['text', 'json', 'gzip', 'file'],
  file: ['text', 'zip', 'gzip', 'base64'],
};

/** Formats whose content is bytes: their source is a file, and so is their result. */
const BINARY: readonly Format[] = ['xlsx', 'pdf', 'zip', 'gzip', 'file'];

export const isBinary = (format: Format): boolean => BINARY.includes(format);

/** The type of a file of each format, and the end of its name. */
export const FILE_TYPES: Readonly<Record<Format, { contentType: string; extension: string }>> = {
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

/** Options by the format that is read. */
const READING: Partial<Record<Format, readonly string[]>> = {
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

/** Options by the format that is written. */
const WRITING: Partial<Record<Format, readonly string[]>> = {
  csv: ['delimiter', 'header', 'columns', 'escapeFormulas', 'bom', 'outputEncoding'],
  xlsx: ['sheet', 'header', 'columns', 'types'],
  xml: ['root', 'indent'],
};

/** Options of single pairs. */
const OF_PAIR: Readonly<Record<string, readonly string[]>> = {
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

/** The options that a conversion takes. Content that is packed or unpacked passes unread. */
export function optionsOf(from: Format, to: Format): string[] {
  if (from === 'zip') return [];
  const isUnread = PACKED.some((one) => one === to);
  const reading = isUnread
    ? []
    : [...(READING[from] ?? []), ...(WRITING[to] ?? []), ...(OF_PAIR[`${from} ${to}`] ?? [])];
  const asFile = isBinary(to) ? [] : ['asFile'];
  return [...new Set([...reading, ...asFile, 'name', ...(to === 'file' ? ['contentType'] : [])])];
}

/** The options of every pair, by `from to`. */
export const PAIR_OPTIONS: Readonly<Record<string, string[]>> = Object.fromEntries(
  FORMATS.flatMap((from) => TARGETS[from].map((to) => [`${from} ${to}`, optionsOf(from, to)])),
);
