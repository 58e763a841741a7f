import { parseExactIntegers } from '@/contract/exact-json';
import { YieldTimer } from '@/server/cooperative';

/** Deeper than any legitimate document, and far below what recursive code can handle. */
export const MAX_DEPTH = 200;

/** More fields than any form has; parsing a body of tiny fields would take long. */
const MAX_FIELDS = 10_000;

/** What the body of a request is, by its content type. */
export type BodyKind = 'json' | 'form' | 'multipart' | 'text' | 'file';

/** Anything that is neither text nor a form is a file. */
export function bodyKindOf(contentType: string | null): BodyKind {
  const type = (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (/^application\/([\w.+-]+\+)?json$/.test(type)) return 'json';
  if (type === 'application/x-www-form-urlencoded') return 'form';
  if (type === 'multipart/form-data') return 'multipart';
  return /^text\/|^application\/xml$|\+xml$/.test(type) ? 'text' : 'file';
}

/** Why a body cannot be read. */
export class UnreadableBody extends Error {}

const decoder = new TextDecoder('utf-8', { fatal: true });

function text(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new UnreadableBody('The body is not valid UTF-8.');
  }
}

/** What a JSON text may contain, because of what it costs to parse it and to use its value. */
export interface JsonLimits {
  /** Different names of fields. A name that is new costs a microsecond or more. */
  names: number;
  /** Values of any kind. */
  values: number;
  /** Numbers of so many digits that they may have to be kept as texts. */
  longNumbers: number;
}

const UNLIMITED: JsonLimits = { names: Infinity, values: Infinity, longNumbers: Infinity };

/**
 * The JSON value of a body; integers that a double would round are texts of their digits. Refuses what cannot be stored unchanged: invalid
 * UTF-8, nesting beyond `MAX_DEPTH`, numbers too large for a double. What exceeds the limits is refused before it is parsed. Throws UnreadableBody.
 */
export function jsonIn(bytes: Uint8Array, limits: JsonLimits = UNLIMITED): unknown {
  const json = text(bytes);
  const scan = new JsonScan(json, limits);
  scan.advance(json.length);
  return scan.value();
}

/** Characters of a JSON text that are looked at in one go. */
const SCANNED_AT_ONCE = 64 * 1024;

/** The same for bodies of several megabytes: other work has its turn while the text is looked at, and before it is parsed. */
export async function readLargeJson(bytes: Uint8Array, limits: JsonLimits): Promise<unknown> {
  const json = text(bytes);
  const scan = new JsonScan(json, limits);
  const timer = new YieldTimer();
  while (scan.advance(SCANNED_AT_ONCE)) if (timer.isDue) await timer.take();
  await timer.take();
  return scan.value();
}

/** Digits of an exponent, and of a number, beyond which a number may be too large for a double. */
const SAFE_EXPONENT = 2;
const SAFE_DIGITS = 300;
/** A double has fewer. */
const LONG_DIGITS = 16;
/** No number means anything with more. */
const MOST_DIGITS = 4000;

const tooLargeNumber = () => new UnreadableBody('The body contains a number that is too large.');

/** Looks at each character of a JSON text once, in as many steps as its caller likes, before it is parsed. Texts that are not JSON are left to the parser. */
class JsonScan {
  private at = 0;
  private depth = 0;
  private values = 1;
  private readonly names = new Set<number>();
  private isInText = false;
  private isEscaped = false;
  /** Of the text that was read last. Two names with the same hash count as one, which hurts nobody. */
  private hash = 0;
  private digits = 0;
  private longNumbers = 0;
  private isExponent = false;
  private hasLargeNumber = false;

  constructor(
    private readonly json: string,
    private readonly limits: JsonLimits,
  ) {}

  /** Reads so many characters more. Returns false at the end. Throws UnreadableBody. */
  advance(length: number): boolean {
    const end = Math.min(this.json.length, this.at + length);
    while (this.at < end) {
      if (this.isInText) this.readText(end);
      else this.readSigns(end);
    }
    return end < this.json.length;
  }

  /** The value, after the text was read to its end. Throws UnreadableBody. */
  value(): unknown {
    let value: unknown;
    try {
      value = parseExactIntegers(this.json);
    } catch (error) {
      if (error instanceof SyntaxError) throw new UnreadableBody('The body is not valid JSON.');
      throw error;
    }
    if (this.hasLargeNumber) checkNumbers(value);
    return value;
  }

  private readText(end: number): void {
    const { json } = this;
    let { at, hash, isEscaped } = this;
    for (; at < end; at += 1) {
      const sign = json.charCodeAt(at);
      if (isEscaped) isEscaped = false;
      else if (sign === 0x5c) isEscaped = true;
      else if (sign === 0x22) break;
      hash = (Math.imul(hash, 31) + sign) | 0;
    }
    this.isInText = at === end;
    this.at = this.isInText ? at : at + 1;
    this.hash = hash;
    this.isEscaped = isEscaped;
  }

  private readSigns(end: number): void {
    const { json } = this;
    for (let { at } = this; at < end; at += 1) {
      const sign = json.charCodeAt(at);
      if (sign >= 0x30 && sign <= 0x39) {
        this.digits += 1;
        if (this.digits > (this.isExponent ? SAFE_EXPONENT : SAFE_DIGITS)) this.hasLargeNumber = true;
        if (this.digits === LONG_DIGITS) this.countLongNumber();
        if (this.digits > MOST_DIGITS) throw tooLargeNumber();
        continue;
      }
      this.digits = 0;
      // A sign may stand between them.
      this.isExponent = sign === 0x65 || sign === 0x45 || (this.isExponent && (sign === 0x2b || sign === 0x2d));
      if (sign === 0x22) {
        this.isInText = true;
        this.hash = 0;
        this.at = at + 1;
        return;
      }
      if (sign === 0x3a) this.countName();
      else if (sign === 0x2c) this.countValue();
      else if (sign === 0x7b || sign === 0x5b) this.enter();
      else if (sign === 0x7d || sign === 0x5d) this.depth -= 1;
    }
    this.at = end;
  }

  private countName(): void {
    const { names, limits } = this;
    if (names.add(this.hash).size > limits.names)
      throw new UnreadableBody(`The body has fields of more than ${limits.names} different names.`);
  }

  private countValue(): void {
    this.values += 1;
    if (this.values > this.limits.values)
      throw new UnreadableBody(`The body has more than ${this.limits.values} values.`);
  }

  private countLongNumber(): void {
    this.longNumbers += 1;
    if (this.longNumbers > this.limits.longNumbers) {
      throw new UnreadableBody(
        `The body has more than ${this.limits.longNumbers} numbers of ${LONG_DIGITS} or more digits.`,
      );
    }
  }

  private enter(): void {
    this.depth += 1;
    if (this.depth > MAX_DEPTH) throw new UnreadableBody(`The body is nested more than ${MAX_DEPTH} levels deep.`);
    this.countValue();
  }
}

/** Iterative, level by level. */
function checkNumbers(root: unknown): void {
  for (let level: unknown[] = [root]; level.length > 0;) {
    const next: unknown[] = [];
    for (const value of level) {
      if (typeof value === 'number' && !Number.isFinite(value)) {
        throw tooLargeNumber();
      }
      if (value !== null && typeof value === 'object') for (const inner of Object.values(value)) next.push(inner);
    }
    level = next;
  }
}

function countOf(bytes: Uint8Array, separator: string): number {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let count = 1;
  for (let at = body.indexOf(separator); at !== -1 && count <= MAX_FIELDS; at = body.indexOf(separator, at + 1))
    count++;
  return count;
}

/** The fields of a form (application/x-www-form-urlencoded) as an object. Throws UnreadableBody. */
export function formIn(bytes: Uint8Array): unknown {
  if (countOf(bytes, '&') > MAX_FIELDS) throw new UnreadableBody(`The form has more than ${MAX_FIELDS} fields.`);
  return objectOf(new URLSearchParams(text(bytes)));
}

/** Names and values as an object; a repeated name has the list of its values. */
export function objectOf<Value>(pairs: Iterable<readonly [string, Value]>): Record<string, Value | Value[]> {
  const lists = new Map<string, Value[]>();
  for (const [name, value] of pairs) {
    const list = lists.get(name);
    if (list) list.push(value);
    else lists.set(name, [value]);
  }
  return Object.fromEntries([...lists].map(([name, list]) => [name, list.length === 1 ? (list[0] as Value) : list]));
}
