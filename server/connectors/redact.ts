const MASK = '••••••';
/** Shorter values are no secrets worth the name, and masking them would eat ordinary data. */
const SHORTEST = 4;
/** Fewer characters of base64 would be found in ordinary data. */
const SHORTEST_INSIDE = 8;

const hex = (code: number, digits: number) => code.toString(16).padStart(digits, '0');
/** A pattern of hexadecimal digits in either case. */
const anyCase = (digits: string) => digits.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);

/** JSON's short escapes. */
const SHORT: Record<string, string> = { '\n': 'n', '\r': 'r', '\t': 't', '\b': 'b', '\f': 'f' };
const NAMED: Record<string, string> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos' };

/** How often a backslash may have been doubled: JSON in JSON in JSON in JSON. Bounded, so that no text is slow to search. */
const DOUBLED = 16;

/** One character percent-encoded (URL and form) or as an HTML entity. */
function encodings(character: string): string[] {
  const code = character.codePointAt(0) ?? 0;
  const named = NAMED[character];
  return [
    Array.from(Buffer.from(character, 'utf8'), (byte) => `%${anyCase(hex(byte, 2))}`).join(''),
    `&#0{0,4}${code};`,
    `&#[xX]0{0,4}${anyCase(hex(code, 1))};`,
    ...(named ? [`&${named};`] : []),
    ...(character === ' ' ? ['\\+'] : []),
  ];
}

/** A run of backslashes; JSON doubles each. */
const speltBackslashes = (count: number): string =>
  `(?:\\\\{${count},${count * DOUBLED}}|(?:${encodings('\\').join('|')}){${count}})`;

/**
 * Every way to write one character: as it is, encoded, escaped in JSON, in JSON inside JSON. Letters and digits are
 * always written as they are. After a backslash those of the escape are taken for its own doubling.
 */
function speltCharacter(character: string, isAfterBackslash: boolean): string {
  if (/[A-Za-z0-9]/.test(character)) return character;
  const plain = character.replace(/[.*+?^${}()|[\]/-]/, '\\$&');
  const units = Array.from({ length: character.length }, (_, index) => anyCase(hex(character.charCodeAt(index), 4)));
  const escapes = isAfterBackslash ? '' : `\\\\{1,${DOUBLED}}`;
  const mayBeEscaped = /["/]/.test(character) && !isAfterBackslash;
  const ways = [
    ...encodings(character),
    units.map((unit, index) => `${index === 0 ? escapes : `\\\\{1,${DOUBLED}}`}u${unit}`).join(''),
    ...(SHORT[character] ? [`${escapes}${SHORT[character]}`] : []),
    `${mayBeEscaped ? `\\\\{0,${DOUBLED}}` : ''}${plain}`,
  ];
  return `(?:${ways.join('|')})`;
}

function spelt(text: string): string {
  const tokens = text.match(/\\+|[^\\]/gsu) ?? [];
  return tokens
    .map((token, index) =>
      token.startsWith('\\')
        ? speltBackslashes(token.length)
        : speltCharacter(token, tokens[index - 1]?.startsWith('\\') === true),
    )
    .join('');
}

/** base64 and base64url alike, however they are escaped in turn. */
const speltBase64 = (text: string): string =>
  Array.from(text, (character) =>
    character === '+'
      ? `(?:-|${speltCharacter('+', false)})`
      : character === '/'
        ? `(?:_|${speltCharacter('/', false)})`
        : character,
  ).join('');

/**
 * What base64 makes of a secret, alone or somewhere inside a longer text: three ways, by where its first byte falls. The
 * characters at the ends that its neighbours have a share in are left out.
 */
function base64s(secret: string): string[] {
  const bytes = Buffer.from(secret, 'utf8');
  const inside = [0, 1, 2].map((shift) => {
    const whole = Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64');
    return whole.slice(Math.ceil((shift * 8) / 6), Math.floor(((shift + bytes.length) * 8) / 6));
  });
  const alone = bytes.toString('base64').replace(/=+$/, '');
  return [alone, ...inside.filter((text) => text.length >= SHORTEST_INSIDE)];
}

/** Masks every secret it was made with, in texts and anywhere inside JSON values, keys included. */
export interface Redactor {
  text(value: string): string;
  /** The same object when there was nothing to mask. */
  value<T>(value: T): T;
}

const nothing: Redactor = { text: (value) => value, value: (value) => value };

/** The one place where secrets are taken out of what a run stores, logs or sends on. */
export function redactor(secrets: Iterable<string>): Redactor {
  const all = new Set(
    [...secrets].filter((secret) => secret.length >= SHORTEST).map((secret) => secret.toWellFormed()),
  );
  if (all.size === 0) return nothing;
  // Longest first: a secret that contains another is masked whole.
  const longestFirst = [...all].toSorted((a, b) => b.length - a.length);
  const patterns = longestFirst.flatMap((secret) => [spelt(secret), ...base64s(secret).map(speltBase64)]);
  const pattern = new RegExp([...new Set(patterns)].join('|'), 'g');
  const text = (value: string) => value.replace(pattern, MASK);

  const walk = (value: unknown): unknown => {
    if (typeof value === 'string') return text(value);
    if (typeof value === 'number') return all.has(String(value)) ? MASK : value;
    if (Array.isArray(value)) return value.map(walk);
    if (value !== null && typeof value === 'object') {
      return Object.fromEntries(Object.entries(value).map(([key, inner]) => [text(key), walk(inner)]));
    }
    return value;
  };
  return { text, value: <T>(value: T) => walk(value) as T };
}
