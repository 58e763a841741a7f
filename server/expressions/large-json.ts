import { randomBytes } from 'node:crypto';

/** Values with more characters of JSON are kept as text, because parsing and writing them takes long. */
export const MAX_PARSED = 64 * 1024;

/** Facts about a value that are known without parsing it again. */
export interface ValueFacts {
  /** The result of JSONata's $boolean. */
  isTrue: boolean;
  /** The number of its elements, if it is a list. */
  length?: number;
}

/** Placeholder of a large value while JSON is written; data cannot contain it. */
const TOKEN = `large-json:${randomBytes(18).toString('base64url')}:`;
const TOKENS = new RegExp(`"${TOKEN}(\\d+)"`, 'g');
let isWriting = false;
/** The large values of the JSON that `jsonOf` is writing, if there are any. */
let largeValues: LargeJson[] | undefined;

/**
 * A large value as the text of its JSON. The main thread passes it on unparsed, from the database to an evaluator process and back;
 * `jsonOf` writes it wherever it occurs inside another value.
 */
export class LargeJson {
  /** `facts`: known facts, if it has been examined. */
  constructor(
    readonly text: string,
    readonly facts?: ValueFacts,
  ) {}

  /** Called by JSON.stringify: returns a placeholder inside `jsonOf`, elsewhere the value itself. */
  toJSON(): unknown {
    if (!isWriting) return JSON.parse(this.text) as unknown;
    largeValues ??= [];
    largeValues.push(this);
    return `${TOKEN}${largeValues.length - 1}`;
  }
}

/**
 * The JSON of a value that may contain large values, without parsing them. Undefined for values without JSON. Throws like JSON.stringify.
 */
export function jsonOf(value: unknown): string | undefined {
  if (value instanceof LargeJson) return value.text;
  let json: string | undefined;
  let values: LargeJson[] | undefined;
  isWriting = true;
  try {
    json = JSON.stringify(value);
  } finally {
    isWriting = false;
    values = largeValues;
    largeValues = undefined;
  }
  if (json === undefined || values === undefined) return json;
  return json.replace(TOKENS, (_, index: string) => values[Number(index)]?.text ?? 'null');
}

/** A value from its JSON: parsed if it is small. */
export const fromJson = (text: string): unknown =>
  text.length > MAX_PARSED ? new LargeJson(text) : (JSON.parse(text) as unknown);

export const isLarge = (value: unknown): value is LargeJson => value instanceof LargeJson;
