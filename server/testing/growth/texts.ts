/** A text of about `size` characters that repeats another. */
export const repeated = (size: number, text: string): string => text.repeat(Math.max(1, Math.ceil(size / text.length)));

/** The same with something between them. */
export const listed = (size: number, text: string, separator: string): string =>
  repeated(size, text + separator) + text;

/** A text of about `size` characters, made of what `part` returns for 0, 1, 2 … */
export function numbered(size: number, part: (at: number) => string, separator = ''): string {
  const parts: string[] = [];
  for (let at = 0, length = 0; length < size; at += 1) {
    const next = part(at);
    parts.push(next);
    length += next.length + separator.length;
  }
  return parts.join(separator);
}

export type Family = (size: number) => string;

/** Making the larger ones costs more than the service needs to read them. */
function remembering<Families extends Record<string, Family>>(families: Families): Families {
  const remember = (make: Family): Family => {
    const made = new Map<number, string>();
    return (size) => {
      const known = made.get(size) ?? make(size);
      made.set(size, known);
      return known;
    };
  };
  return Object.fromEntries(Object.entries(families).map(([name, make]) => [name, remember(make)])) as Families;
}

/** Characters at which some parser or pattern looks back, looks ahead, nests or begins anew. */
const RUNS = ['a', ' ', '<', '{', '(', '%', ',', '=', '\\', '/', '.', '@', '1', ';', '\n'];

/** Long runs; the last ones repeat more than one character. */
export const LONG_RUNS: Record<string, Family> = Object.fromEntries(
  [...RUNS, '{{', '0 ', 'a,', 'a.'].map((text) => [
    `a run of ${JSON.stringify(text)}`,
    (size: number) => text.repeat(Math.ceil(size / text.length)),
  ]),
);

/**
 * Patterns read texts of this size that are refused because they are too long. What grows with the square shows at any
 * size.
 */
export const LONG_RUN = 96 * 1024;

/** Where a run is tried beside many others: one text in which each character of the runs is repeated. */
export const mixedRuns = (size: number): string =>
  RUNS.map((text) => text.repeat(Math.ceil(size / RUNS.length))).join('');

/** Bodies of application/x-www-form-urlencoded, and queries. */
export const FORMS: Record<string, Family> = remembering({
  'many names': (size) => numbered(size, (at) => `n${at}=`, '&'),
  'one name many times': (size) => listed(size, 'a=', '&'),
  'names without values': (size) => numbered(size, (at) => `n${at}`, '&'),
  separators: (size) => '&'.repeat(size),
  'equals signs': (size) => '='.repeat(size),
  'percent signs': (size) => `a=${'%'.repeat(size)}`,
  'escaped bytes that are no text': (size) => `a=${repeated(size, '%FF')}`,
  'plus signs': (size) => `a=${'+'.repeat(size)}`,
  'names in brackets': (size) => numbered(size, (at) => `a[${at}][b][]=`, '&'),
  'one long name': (size) => `${'n'.repeat(size)}=1`,
});

/** The inside of a JSON object with many fields, and of a list of many texts. */
export const { fields: fieldsOf, texts: textsOf } = remembering({
  fields: (size) => numbered(size, (at) => `"x${at}":1`, ','),
  texts: (size) => numbered(size, (at) => `"a${at}"`, ','),
});

/** JSON texts that no schema is needed for. */
export const JSONS: Record<string, Family> = remembering({
  'many fields': (size) => `{${fieldsOf(size)}}`,
  'one field many times': (size) => `{${listed(size, '"a":1', ',')}}`,
  'empty objects': (size) => `[${listed(size, '{}', ',')}]`,
  'small numbers': (size) => `[${listed(size, '1', ',')}]`,
  'integers of many digits': (size) => `[${listed(size, '1234567890123456789', ',')}]`,
  'lists in lists': (size) => '['.repeat(size / 2) + ']'.repeat(size / 2),
  'lists within the permitted depth': (size) => `[${listed(size, '['.repeat(150) + ']'.repeat(150), ',')}]`,
  'objects in objects': (size) => repeated(size, '{"a":') + '1',
  'one long number': (size) => '1'.repeat(size),
  'one long text': (size) => `"${'a'.repeat(size)}"`,
  'one text of escapes': (size) => `"${repeated(size, '\\u0061')}"`,
  'an open text': (size) => `{"a":"${'a'.repeat(size)}`,
  'white space': (size) => ' '.repeat(size),
});

const BOUNDARY = 'limit';
export const MULTIPART_TYPE = `multipart/form-data; boundary=${BOUNDARY}`;
const part = (head: string, content = '') => `--${BOUNDARY}\r\n${head}\r\n\r\n${content}\r\n`;
const named = (name: string, more = '') => `Content-Disposition: form-data; name="${name}"${more}`;
const END = `--${BOUNDARY}--\r\n`;

/** Bodies of multipart/form-data. */
export const MULTIPARTS: Record<string, Family> = remembering({
  'many parts': (size) => numbered(size, (at) => part(named(`n${at}`))) + END,
  'one part many times': (size) => repeated(size, part(named('a'))) + END,
  'parts without names': (size) => repeated(size, part('Content-Disposition: form-data')) + END,
  'parts without headers': (size) => repeated(size, `--${BOUNDARY}\r\n\r\n`) + END,
  'one part without a name': (size) => part('Content-Disposition: form-data', 'a'.repeat(size)) + END,
  'one part of a wrong disposition': (size) => part('Content-Disposition: ;;', 'a'.repeat(size)) + END,
  'many files': (size) => numbered(size, (at) => part(named(`f${at}`, `; filename="${at}"`), 'a')) + END,
  'a part with many headers': (size) => part(numbered(size, (at) => `X${at}: 1`, '\r\n')) + END,
  'a long file name': (size) => part(named('a', `; filename="${'a'.repeat(size)}"`)) + END,
  'a file name of escapes': (size) => part(named('a', `; filename*=UTF-8''${repeated(size, '%E4')}`)) + END,
  'parameters of a disposition': (size) =>
    part(`Content-Disposition: form-data${numbered(size, (at) => `; a${at}=1`)}`) + END,
  'line ends': (size) => part(named('a'), '\r\n'.repeat(size / 2)) + END,
  'beginnings of boundaries': (size) => part(named('a'), repeated(size, '\r\n--limi')) + END,
  'no boundary at all': (size) => 'a'.repeat(size),
  'no end': (size) => part(named('a'), 'a'.repeat(size)),
});

/** XML texts, most of them malformed. */
export const XMLS: Record<string, Family> = remembering({
  'opening brackets': (size) => '<'.repeat(size),
  'elements in elements': (size) => repeated(size, '<a>'),
  'many elements': (size) => `<r>${repeated(size, '<a/>')}</r>`,
  'many attributes': (size) => `<r ${numbered(size, (at) => `a${at}=""`, ' ')}/>`,
  'many namespaces': (size) => `<r ${numbered(size, (at) => `xmlns:n${at}="n"`, ' ')}/>`,
  'one attribute many times': (size) => `<r ${listed(size, 'a=""', ' ')}/>`,
  ampersands: (size) => `<r>${'&'.repeat(size)}</r>`,
  'character references': (size) => `<r>${repeated(size, '&#65;')}</r>`,
  'unknown entities': (size) => `<r>${repeated(size, '&x;')}</r>`,
  comments: (size) => `<r>${repeated(size, '<!---->')}</r>`,
  'an open comment': (size) => `<r><!--${'-'.repeat(size)}`,
  'open comments': (size) => repeated(size, '<!--'),
  instructions: (size) => repeated(size, '<?a'),
  'entities of a document type': (size) => `<!DOCTYPE r [${numbered(size, (at) => `<!ENTITY e${at} "1">`)}]><r/>`,
  'closing elements': (size) => `<r>${repeated(size, '</a>')}`,
  quotes: (size) => `<r a=${'"'.repeat(size)}`,
  'white space': (size) => `<r${' '.repeat(size)}`,
  'a signature of many parts': (size) => signedXml(numbered(size, (at) => `<ds:Reference URI="#a${at}"/>`)),
  'parts of a signature in each other': (size) => signedXml(nested(size, '<ds:Reference URI="">', '</ds:Reference>')),
  'transforms in each other': (size) =>
    signedXml(nested(size, '<ds:Transforms><ds:Transform>', '</ds:Transform></ds:Transforms>')),
  'signatures in each other': (size) =>
    signedXml(nested(size, '<ds:Signature><ds:SignedInfo>', '</ds:SignedInfo></ds:Signature>')),
  'many identifiers': (size) => signedXml(numbered(size, (at) => `<a ID="a${at}"/>`)),
});

const nested = (size: number, open: string, close: string) => {
  const times = Math.ceil(size / (open.length + close.length));
  return open.repeat(times) + close.repeat(times);
};

const SIGNATURES = 'http://www.w3.org/2000/09/xmldsig#';
const SAML = 'urn:oasis:names:tc:SAML:2.0:';
/** A message of an identity provider around a signature. */
const signedXml = (inner: string) =>
  `<samlp:LogoutRequest xmlns:samlp="${SAML}protocol" xmlns:saml="${SAML}assertion" ID="a" Version="2.0">` +
  `<ds:Signature xmlns:ds="${SIGNATURES}"><ds:SignedInfo>${inner}</ds:SignedInfo></ds:Signature></samlp:LogoutRequest>`;

/** Tables as CSV. */
export const TABLES: Record<string, Family> = remembering({
  'a long header': (size) => `${numbered(size, (at) => `n${at}`, ',')}\n`,
  'one name many times': (size) => `${listed(size, 'a', ',')}\n`,
  'empty names': (size) => `${','.repeat(size)}\n`,
  'empty lines': (size) => `email\n${'\n'.repeat(size)}`,
  'lines that do not fit': (size) => `email\n${listed(size, 'a,b', '\n')}`,
  quotes: (size) => `email\n${'"'.repeat(size)}`,
  'quoted quotes': (size) => `email\n"${'""'.repeat(size / 2)}"`,
  'an open quote': (size) => `email\n"${'a\n'.repeat(size / 2)}`,
  'one long line': (size) => `email\n${'a'.repeat(size)}`,
  'carriage returns': (size) => `email\r\n${'\r'.repeat(size)}`,
});

/** Values of headers, each of which has grammar of its own. */
export const HEADERS: Record<string, Family> = {
  cookie: (size) => numbered(size, (at) => `c${at}=1`, '; '),
  'accept-language': (size) => numbered(size, (at) => `a${at};q=0.1`, ','),
  accept: (size) => numbered(size, (at) => `text/a${at};q=0.1`, ','),
  'accept-encoding': (size) => numbered(size, (at) => `a${at};q=0.1`, ','),
  'if-none-match': (size) => numbered(size, (at) => `W/"${at}"`, ','),
  'if-match': (size) => repeated(size, ',"'),
  forwarded: (size) => listed(size, 'for=1;by="', ','),
  'x-forwarded-for': (size) => numbered(size, (at) => `1.1.1.${at % 256}`, ', '),
  'x-forwarded-host': (size) => 'a.'.repeat(size / 2),
  authorization: (size) => `Bearer ${'a.'.repeat(size / 2)}`,
  'x-api-key': (size) => 'k'.repeat(size),
  'content-type': (size) => `application/json${numbered(size, (at) => `; a${at}=1`)}`,
  'content-disposition': (size) => `attachment${numbered(size, (at) => `; a${at}="`)}`,
  'idempotency-key': (size) => 'k'.repeat(size),
  'x-workspace-id': (size) => 'w'.repeat(size),
  'x-request-id': (size) => 'r-'.repeat(size / 2),
  prefer: (size) => numbered(size, (at) => `wait=${at}`, ', '),
  origin: (size) => `http://${'a.'.repeat(size / 2)}`,
  'access-control-request-headers': (size) => numbered(size, (at) => `x${at}`, ','),
  range: (size) => `bytes=${numbered(size, (at) => `${at}-`, ',')}`,
  traceparent: (size) => '0-'.repeat(size / 2),
  baggage: (size) => numbered(size, (at) => `b${at}=1`, ','),
  'user-agent': (size) => '('.repeat(size),
};

/** Bytes of headers and address together that the service accepts. */
export const MAX_HEAD = 15 * 1024;
