import { YieldTimer } from '@/server/platform/timers/cooperative';

/** Values that are parsed in one go: a few milliseconds, whatever they are. */
const VALUES_PER_PIECE = 1000;
/** Characters that are scanned before others get their turn. */
const SCAN_CHECK_MASK = 0xffff;

const BLANK_PATTERN = /^[ \t\n\r]*$/;

export interface JsonParseLimits {
  /** How deep values may be nested. */
  depth: number;
  /** Values, those in lists and objects included. */
  values: number;
  /** Fields of one object: large objects take longest. */
  fields: number;
}

type ParsePiece = (piece: string) => unknown;

interface JsonPieceOptions {
  /** JSON.parse, or what does the same. */
  parse(text: string): unknown;
  /** Is given each value that was parsed. */
  check(piece: unknown): void;
  /** The error for a text that exceeds a limit. */
  exceeded(limit: keyof JsonParseLimits): Error;
  pieceSize?: number;
}

/** What is known about a list or object that is not closed yet. */
interface OpenJsonLevel {
  isList: boolean;
  openedAt: number;
  /** Its children before this position have been parsed. */
  parsedTo: number;
  /** Begin of the child that is being read. */
  childAt: number;
  children: number;
  /** Its value, once a part of it was parsed. */
  value?: unknown[] | Record<string, unknown>;
  /** The child before `parsedTo` was parsed level by level: a separator follows, or the end. */
  awaitsSeparator: boolean;
}

/**
 * Parses a JSON text like JSON.parse, in pieces between which others get their turn: JSON.parse would block the process
 * for a tenth of a second for a MiB of small values. Throws SyntaxError for what is not JSON.
 */
export async function parseJsonInPieces(
  text: string,
  limits: JsonParseLimits,
  { parse, check, exceeded, pieceSize = VALUES_PER_PIECE }: JsonPieceOptions,
): Promise<unknown> {
  const timer = new YieldTimer();
  const read: ParsePiece = (piece) => {
    const value = parse(piece);
    check(value);
    return value;
  };
  const levels: OpenJsonLevel[] = [];
  let values = 1;
  let pending = 0;
  let isInString = false;
  let root: OpenJsonLevel | undefined;
  for (let at = 0; at < text.length; at++) {
    if ((at & SCAN_CHECK_MASK) === SCAN_CHECK_MASK && timer.isDue) await timer.take();
    const code = text.charCodeAt(at);
    if (isInString) {
      if (code === BACKSLASH) at++;
      else if (code === QUOTE) isInString = false;
      continue;
    }
    if (code === QUOTE) isInString = true;
    else if (code === COMMA) {
      const level = levels.at(-1);
      if (!level) throw new SyntaxError('a comma outside of lists and objects');
      if (++values > limits.values) throw exceeded('values');
      if (++level.children > limits.fields && !level.isList) throw exceeded('fields');
      if (level.awaitsSeparator) endParsedChild(level, text, at);
      level.childAt = at + 1;
      if (++pending >= pieceSize) {
        pending = 0;
        parseCompleteParts(levels, text, read);
        if (timer.isDue) await timer.take();
      }
    } else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      if (levels.length > limits.depth) throw exceeded('depth');
      if (++values > limits.values) throw exceeded('values');
      pending++;
      const begin = at + 1;
      const level: OpenJsonLevel = {
        isList: code === OPEN_LIST,
        openedAt: at,
        parsedTo: begin,
        childAt: begin,
        children: 1,
        awaitsSeparator: false,
      };
      if (levels.length === 0 && (root || !BLANK_PATTERN.test(text.slice(0, at)))) throw new SyntaxError('two values');
      root ??= level;
      levels.push(level);
    } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) {
      const level = levels.pop();
      if (level?.isList !== (code === CLOSE_LIST)) throw new SyntaxError('a bracket that was not opened');
      if (level.value) closeLevel(level, levels.at(-1), text, at, read);
      else if (levels.length === 0) return read(text);
    }
  }
  if (!root?.value) return read(text);
  if (levels.length > 0 || isInString || !BLANK_PATTERN.test(text.slice(root.parsedTo)))
    throw new SyntaxError('not closed');
  // What checks the value begins anew.
  if (timer.isDue) await timer.take();
  return root.value;
}

const ANY_SIZE: JsonParseLimits = { depth: Infinity, values: Infinity, fields: Infinity };
/** Characters that JSON.parse takes a millisecond or two for. */
const SMALL = 64 * 1024;

/** The value of JSON that the service has stored, of any size: in pieces, unless it is small. */
export const parseStoredJson = async (json: string): Promise<unknown> =>
  json.length <= SMALL
    ? JSON.parse(json)
    : parseJsonInPieces(json, ANY_SIZE, {
        parse: JSON.parse,
        check: () => undefined,
        exceeded: (limit) => new RangeError(`too many ${limit}`),
      });

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Parses what is complete of every open level, from the outermost. */
function parseCompleteParts(levels: readonly OpenJsonLevel[], text: string, read: ParsePiece): void {
  for (const [index, level] of levels.entries()) {
    const inner = levels[index + 1];
    level.value ??= level.isList ? [] : {};
    // The separator before a child belongs to no piece.
    if (level.childAt > level.parsedTo) addParsedPiece(level, text.slice(level.parsedTo, level.childAt - 1), read);
    level.parsedTo = level.childAt;
    if (!inner || inner.value) continue;
    inner.value = inner.isList ? [] : {};
    addChild(level, level.isList ? '' : parseMemberName(text.slice(level.childAt, inner.openedAt)), inner.value);
    if (level.isList && !BLANK_PATTERN.test(text.slice(level.childAt, inner.openedAt)))
      throw new SyntaxError('two values');
  }
}

/** The end of a level of which a part was parsed. */
function closeLevel(
  level: OpenJsonLevel,
  outer: OpenJsonLevel | undefined,
  text: string,
  at: number,
  read: ParsePiece,
): void {
  const rest = text.slice(level.parsedTo, at);
  if (!level.awaitsSeparator) addParsedPiece(level, rest, read);
  else if (!BLANK_PATTERN.test(rest)) throw new SyntaxError('two values');
  const end = outer ?? level;
  end.parsedTo = at + 1;
  end.awaitsSeparator = true;
}

/** The separator after a child that was parsed level by level. */
function endParsedChild(level: OpenJsonLevel, text: string, at: number): void {
  if (!BLANK_PATTERN.test(text.slice(level.parsedTo, at))) throw new SyntaxError('two values');
  level.parsedTo = at + 1;
  level.awaitsSeparator = false;
}

/** Adds children of a level: at least one, or the text has a separator too many. */
function addParsedPiece(level: OpenJsonLevel, children: string, read: ParsePiece): void {
  if (BLANK_PATTERN.test(children)) throw new SyntaxError('a separator without a value');
  const piece = read(level.isList ? `[${children}]` : `{${children}}`);
  if (Array.isArray(piece)) for (const one of piece as unknown[]) addChild(level, '', one);
  else for (const [name, one] of Object.entries(piece as object)) addChild(level, name, one);
}

function addChild({ value }: OpenJsonLevel, name: string, child: unknown): void {
  if (Array.isArray(value)) value.push(child);
  // An assignment would set the prototype.
  else if (name === '__proto__')
    Object.defineProperty(value, name, { value: child, enumerable: true, configurable: true, writable: true });
  else if (value) value[name] = child;
}

/** The name in `"name" :`. A list, unlike a number, cannot be the rest of a value that began before it. */
function parseMemberName(text: string): string {
  const [name, ...others] = Object.keys(JSON.parse(`{${text}[]}`) as object);
  if (name === undefined || others.length > 0) throw new SyntaxError('no name');
  return name;
}
