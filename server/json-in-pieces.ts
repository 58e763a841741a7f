import { YieldTimer } from './cooperative';

/** Values that are parsed in one go: a few milliseconds, whatever they are. */
const PIECE = 1000;
/** Characters that are scanned before others get their turn. */
const STRETCH = 0xffff;

const BLANK = /^[ \t\n\r]*$/;

export interface JsonLimits {
  /** How deep values may be nested. */
  depth: number;
  /** Values, those in lists and objects included. */
  values: number;
  /** Fields of one object: large objects take longest. */
  fields: number;
}

type Read = (piece: string) => unknown;

interface Reading {
  /** JSON.parse, or what does the same. */
  parse(text: string): unknown;
  /** Is given each value that was parsed. */
  check(piece: unknown): void;
  /** The error for a text that exceeds a limit. */
  exceeded(limit: keyof JsonLimits): Error;
  pieceSize?: number;
}

/** What is known about a list or object that is not closed yet. */
interface Level {
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
 * Parses a JSON text like JSON.parse, in pieces between which others get their turn: JSON.parse would block the process for a tenth of a
 * second for a MiB of small values. Throws SyntaxError for what is not JSON.
 */
export async function parseJsonInPieces(
  text: string,
  limits: JsonLimits,
  { parse, check, exceeded, pieceSize = PIECE }: Reading,
): Promise<unknown> {
  const timer = new YieldTimer();
  const read: Read = (piece) => {
    const value = parse(piece);
    check(value);
    return value;
  };
  const levels: Level[] = [];
  let values = 1;
  let pending = 0;
  let isInString = false;
  let root: Level | undefined;
  for (let at = 0; at < text.length; at++) {
    if ((at & STRETCH) === STRETCH && timer.isDue) await timer.take();
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
      if (level.awaitsSeparator) endChild(level, text, at);
      level.childAt = at + 1;
      if (++pending >= pieceSize) {
        pending = 0;
        flush(levels, text, read);
        if (timer.isDue) await timer.take();
      }
    } else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      if (levels.length > limits.depth) throw exceeded('depth');
      if (++values > limits.values) throw exceeded('values');
      pending++;
      const begin = at + 1;
      const level: Level = {
        isList: code === OPEN_LIST,
        openedAt: at,
        parsedTo: begin,
        childAt: begin,
        children: 1,
        awaitsSeparator: false,
      };
      if (levels.length === 0 && (root || !BLANK.test(text.slice(0, at)))) throw new SyntaxError('two values');
      root ??= level;
      levels.push(level);
    } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) {
      const level = levels.pop();
      if (level?.isList !== (code === CLOSE_LIST)) throw new SyntaxError('a bracket that was not opened');
      if (level.value) close(level, levels.at(-1), text, at, read);
      else if (levels.length === 0) return read(text);
    }
  }
  if (!root?.value) return read(text);
  if (levels.length > 0 || isInString || !BLANK.test(text.slice(root.parsedTo))) throw new SyntaxError('not closed');
  // What checks the value begins anew.
  if (timer.isDue) await timer.take();
  return root.value;
}

const ANY_SIZE: JsonLimits = { depth: Infinity, values: Infinity, fields: Infinity };
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
function flush(levels: readonly Level[], text: string, read: Read): void {
  for (const [index, level] of levels.entries()) {
    const inner = levels[index + 1];
    level.value ??= level.isList ? [] : {};
    // The separator before a child belongs to no piece.
    if (level.childAt > level.parsedTo) addPiece(level, text.slice(level.parsedTo, level.childAt - 1), read);
    level.parsedTo = level.childAt;
    if (!inner || inner.value) continue;
    inner.value = inner.isList ? [] : {};
    add(level, level.isList ? '' : keyIn(text.slice(level.childAt, inner.openedAt)), inner.value);
    if (level.isList && !BLANK.test(text.slice(level.childAt, inner.openedAt))) throw new SyntaxError('two values');
  }
}

/** The end of a level of which a part was parsed. */
function close(level: Level, outer: Level | undefined, text: string, at: number, read: Read): void {
  const rest = text.slice(level.parsedTo, at);
  if (!level.awaitsSeparator) addPiece(level, rest, read);
  else if (!BLANK.test(rest)) throw new SyntaxError('two values');
  const end = outer ?? level;
  end.parsedTo = at + 1;
  end.awaitsSeparator = true;
}

/** The separator after a child that was parsed level by level. */
function endChild(level: Level, text: string, at: number): void {
  if (!BLANK.test(text.slice(level.parsedTo, at))) throw new SyntaxError('two values');
  level.parsedTo = at + 1;
  level.awaitsSeparator = false;
}

/** Adds children of a level: at least one, or the text has a separator too many. */
function addPiece(level: Level, children: string, read: Read): void {
  if (BLANK.test(children)) throw new SyntaxError('a separator without a value');
  const piece = read(level.isList ? `[${children}]` : `{${children}}`);
  if (Array.isArray(piece)) for (const one of piece as unknown[]) add(level, '', one);
  else for (const [name, one] of Object.entries(piece as object)) add(level, name, one);
}

function add({ value }: Level, name: string, child: unknown): void {
  if (Array.isArray(value)) value.push(child);
  // An assignment would set the prototype.
  else if (name === '__proto__')
    Object.defineProperty(value, name, { value: child, enumerable: true, configurable: true, writable: true });
  else if (value) value[name] = child;
}

/** The name in `"name" :`. A list, unlike a number, cannot be the rest of a value that began before it. */
function keyIn(text: string): string {
  const [name, ...others] = Object.keys(JSON.parse(`{${text}[]}`) as object);
  if (name === undefined || others.length > 0) throw new SyntaxError('no name');
  return name;
}
