const MAX_FILE_NAME_LENGTH = 200;
const MEDIA_TYPE_PATTERN = /^[\w!#$&^.+-]{1,100}\/[\w!#$&^.+-]{1,100}$/;

/** A name without folders and without characters that a file system or a header cannot carry. */
export function sanitizeFileName(name = ''): string {
  const last = name.toWellFormed().split(/[\\/]/).at(-1) ?? '';
  // oxlint-disable-next-line no-control-regex
  const plain = last.replace(/[\u0000-\u001f\u007f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, '').trim();
  const short = [...plain].slice(-MAX_FILE_NAME_LENGTH).join('');
  return short === '' || short === '.' || short === '..' ? 'file' : short;
}

/** The media type without parameters, in lower case, except for the charset of text. */
export function sanitizeContentType(header = ''): string {
  const [type = '', ...parameters] = header.split(';').map((part) => part.trim());
  if (!MEDIA_TYPE_PATTERN.test(type)) return 'application/octet-stream';
  const charset = parameters.find((parameter) => /^charset=[\w.:-]{1,40}$/i.test(parameter));
  return (charset && /^text\//i.test(type) ? `${type};${charset}` : type).toLowerCase();
}
