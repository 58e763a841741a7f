import type { ExpressionLanguage } from '@/contract/workflows/expression-language';
import { closestName } from '@/components/graph/edits/unknown-names';

const STRING_LITERAL_PATTERN = String.raw`"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'`;
const JSONATA_NAME_PATTERN = String.raw`(?:[A-Za-z_]\w*|\x60[^\x60]*\x60)`;
/** Strings and comments, or a path of at least two names. The first two are skipped. */
const FIELD_PATH_PATTERN = new RegExp(
  String.raw`${STRING_LITERAL_PATTERN}|/\*[\s\S]*?\*/|(?<![\w$.\x60%@#])(${JSONATA_NAME_PATTERN}(?:\.${JSONATA_NAME_PATTERN})+)(?![\w(])`,
  'g',
);

/** The same for JavaScript, whose paths may have optional steps. */
const JAVASCRIPT_PATH_PATTERN = new RegExp(
  String.raw`${STRING_LITERAL_PATTERN}|/\*[\s\S]*?\*/|//.*|(?<![\w$.\]?])([A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)+)(?![\w$(])`,
  'g',
);

export interface MissingFieldName {
  /** The path to where the name is missing. */
  within: string;
  name: string;
  /** A similar name that exists there. */
  near: string | undefined;
}

type ExpressionScopeData = Readonly<Record<string, unknown>>;
const hasNamedFields = (value: unknown): value is ExpressionScopeData =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The objects that a step reads: JSONata looks into each item of a list. */
const objectsOrItems = (value: unknown): ExpressionScopeData[] =>
  Array.isArray(value) ? value.filter(hasNamedFields) : [value].filter(hasNamedFields);

/**
 * The first name in the paths of an expression that the data lacks. Paths that begin with another name than those of
 * the scope are not judged.
 */
export function findMissingName(
  source: string,
  scope: ExpressionScopeData,
  language: ExpressionLanguage = 'jsonata',
): MissingFieldName | undefined {
  const isJavascript = language === 'javascript';
  for (const [, path] of source.matchAll(isJavascript ? JAVASCRIPT_PATH_PATTERN : FIELD_PATH_PATTERN)) {
    const names = path?.match(/[^?.`]+|`[^`]*`/g)?.map((name) => name.replaceAll('`', '')) ?? [];
    const [root = '', ...steps] = names;
    if (!Object.hasOwn(scope, root)) continue;
    // Lists and texts have members of their own in JavaScript.
    const objectsAt = (value: unknown) => (isJavascript ? [value].filter(hasNamedFields) : objectsOrItems(value));
    let at: ExpressionScopeData[] = objectsAt(scope[root]);
    for (const [index, name] of steps.entries()) {
      // A value without fields has no names to compare with.
      if (at.length === 0) break;
      if (!at.some((one) => Object.hasOwn(one, name))) {
        const known = new Set(at.slice(0, 100).flatMap((one) => Object.keys(one)));
        return { within: names.slice(0, index + 1).join('.'), name, near: closestName(name, known) };
      }
      at = at.flatMap((one) => objectsAt(one[name]));
    }
  }
  return undefined;
}
