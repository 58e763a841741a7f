/** Media types by file extension. If a type has several extensions, files are written with the first one. */
const MEDIA_TYPES: readonly [end: string, type: string][] = [
  ['txt', 'text/plain'],
  ['csv', 'text/csv'],
  ['tsv', 'text/tab-separated-values'],
  ['html', 'text/html'],
  ['htm', 'text/html'],
  ['md', 'text/markdown'],
  ['ics', 'text/calendar'],
  ['vcf', 'text/vcard'],
  ['xml', 'application/xml'],
  ['json', 'application/json'],
  ['ndjson', 'application/x-ndjson'],
  ['yaml', 'application/yaml'],
  ['pdf', 'application/pdf'],
  ['zip', 'application/zip'],
  ['gz', 'application/gzip'],
  ['eml', 'message/rfc822'],
  ['rtf', 'application/rtf'],
  ['xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  ['docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  ['pptx', 'application/vnd.openxmlformats-officedocument.presentationml.presentation'],
  ['xls', 'application/vnd.ms-excel'],
  ['doc', 'application/msword'],
  ['ppt', 'application/vnd.ms-powerpoint'],
  ['ods', 'application/vnd.oasis.opendocument.spreadsheet'],
  ['odt', 'application/vnd.oasis.opendocument.text'],
  ['jpg', 'image/jpeg'],
  ['jpeg', 'image/jpeg'],
  ['png', 'image/png'],
  ['gif', 'image/gif'],
  ['webp', 'image/webp'],
  ['svg', 'image/svg+xml'],
  ['bmp', 'image/bmp'],
  ['tiff', 'image/tiff'],
  ['heic', 'image/heic'],
  ['mp3', 'audio/mpeg'],
  ['wav', 'audio/wav'],
  ['m4a', 'audio/mp4'],
  ['mp4', 'video/mp4'],
  ['mov', 'video/quicktime'],
  ['p7s', 'application/pkcs7-signature'],
  ['p7m', 'application/pkcs7-mime'],
  ['asc', 'application/pgp-signature'],
  ['bin', 'application/octet-stream'],
];

/** Other names that senders use for these media types, with the extension of each. */
const MEDIA_TYPE_ALIASES: Readonly<Record<string, string>> = {
  'text/xml': 'xml',
  'text/json': 'json',
  'text/x-vcard': 'vcf',
  'text/rtf': 'rtf',
  'application/ics': 'ics',
  'application/csv': 'csv',
  'application/x-zip-compressed': 'zip',
  'application/x-gzip': 'gz',
  'application/x-pdf': 'pdf',
  'application/x-pkcs7-signature': 'p7s',
  'application/x-pkcs7-mime': 'p7m',
  'application/ms-tnef': 'dat',
  'application/vnd.ms-tnef': 'dat',
  'message/delivery-status': 'txt',
  'message/disposition-notification': 'txt',
  'text/rfc822-headers': 'txt',
  'image/jpg': 'jpg',
  'image/pjpeg': 'jpg',
  'image/x-png': 'png',
  'audio/mp3': 'mp3',
  'audio/x-wav': 'wav',
};

const typeByExtension = new Map(MEDIA_TYPES);
const extensionByType = new Map([
  ...MEDIA_TYPES.toReversed().map(([end, type]) => [type, end] as const),
  ...Object.entries(MEDIA_TYPE_ALIASES),
]);

/** The media type that the extension of a file name stands for. */
export const mediaTypeFromName = (name: string): string =>
  typeByExtension.get(name.split('.').at(-1)?.toLowerCase() ?? '') ?? 'application/octet-stream';

/** The extension for files of a media type, without the dot. */
export const mediaTypeExtension = (contentType: string): string =>
  extensionByType.get(contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '') ?? 'bin';
