import { randomBytes } from 'node:crypto';

/** Values with more characters of JSON are kept as text, because parsing and writing them takes long. */
export const MAX_PARSED_JSON = 64 * 1024;

/** Facts about a value that are known without parsing it again. */
export interface KnownValueTraits {
  /** The result of JSONata's $boolean. */
  isTrue: boolean;
  /** The number of its elements, if it is a list. */
  length?: number;
}

/** Placeholder of a large value while JSON is written; data cannot contain it. */
const PLACEHOLDER_PREFIX = `large-json:${randomBytes(18).toString('base64url')}:`;
const PLACEHOLDERS_IN_JSON = new RegExp(`"${PLACEHOLDER_PREFIX}(\\d+)"`, 'g');
let isWriting = false;
/** The large values of the JSON that `serializeJson` is writing, if there are any. */
let largeValues: LargeJsonText[] | undefined;

/**
 * A large value as the text of its JSON. The main thread passes it on unparsed, from the database to an evaluator
 * process and back; `serializeJson` writes it wherever it occurs inside another value.
 */
export class LargeJsonText {
  /** `facts`: known facts, if it has been examined. */
  constructor(
    readonly text: string,
    readonly facts?: KnownValueTraits,
  ) {}

  /** Called by JSON.stringify: returns a placeholder inside `serializeJson`, elsewhere the value itself. */
  toJSON(): unknown {
    if (!isWriting) return JSON.parse(this.text) as unknown;
    largeValues ??= [];
    largeValues.push(this);
    return `${PLACEHOLDER_PREFIX}${largeValues.length - 1}`;
  }
}

/**
 * The JSON of a value that may contain large values, without parsing them. Undefined for values without JSON. Throws
 * like JSON.stringify.
 */
export function serializeJson(value: unknown): string | undefined {
  if (value instanceof LargeJsonText) return value.text;
  let json: string | undefined;
  let values: LargeJsonText[] | undefined;
  isWriting = true;
  try {
    json = JSON.stringify(value);
  } finally {
    isWriting = false;
    values = largeValues;
    largeValues = undefined;
  }
  if (json === undefined || values === undefined) return json;
  return json.replace(PLACEHOLDERS_IN_JSON, (_, index: string) => values[Number(index)]?.text ?? 'null');
}

/** A value from its JSON: parsed if it is small. */
export const parseUnlessLarge = (text: string): unknown =>
  text.length > MAX_PARSED_JSON ? new LargeJsonText(text) : (JSON.parse(text) as unknown);

export const isLargeJson = (value: unknown): value is LargeJsonText => value instanceof LargeJsonText;
