import { parseExactJson } from '@/contract/exact-json';
import {
  escapeBraces,
  splitText,
  writeConfigText,
  writeConfigValue,
  writeTextSource,
  type TextPiece,
} from './items/parameter-source';

export { escapeBraces };

/** Collects the expressions of a node that cannot be kept. */
export interface NodeExpressions {
  reportLost(source: string, reason: string): void;
}

/** Whether n8n evaluates a text. */
export const isN8nExpression = (value: unknown): boolean => typeof value === 'string' && value.startsWith('=');

/**
 * A text of n8n as Weft writes it: with expressions in braces. One that is a single expression keeps the type of its
 * value.
 */
export const convertTemplate = (value: string, { reportLost }: NodeExpressions): string =>
  writeConfigText(value, reportLost);

/** Any value with its texts as Weft writes them. */
export const convertValue = (given: unknown, { reportLost }: NodeExpressions): unknown =>
  writeConfigValue(given, reportLost);

/** The item that comes in as a text of JSON. */
export const ITEM_JSON_TEXT = '{{ JSON.stringify($json) }}';

/** Characters that occur in no file. They enclose the number of an expression. */
const [OPEN, CLOSE] = ['\uE000', '\uE001'];

/**
 * A text of JSON, in which expressions may stand anywhere, as a value with texts as Weft writes them; undefined: it is
 * no JSON. With expressions the whole text is one expression, unless its fields are needed.
 */
export function convertJsonText(
  given: string,
  { reportLost }: NodeExpressions,
  hasFields = false,
): { value: unknown } | undefined {
  if (given.includes(OPEN) || given.includes(CLOSE)) return undefined;
  const pieces: TextPiece[] = isN8nExpression(given) ? splitText(given) : [{ text: given }];
  const filled = pieces.filter((piece) => 'source' in piece || piece.text.trim() !== '');
  const [only] = filled;
  const isWhole = filled.length === 1 && only && 'source' in only;
  if (isWhole || (!hasFields && filled.some((piece) => 'source' in piece)))
    return { value: `{{ n8n.json(${writeTextSource(given, reportLost)}) }}` };
  const scan = { isInText: false };
  const text = pieces
    .map((piece, index) => {
      if ('text' in piece) return escapeLineBreaks(piece.text, scan);
      return scan.isInText ? `${OPEN}${index}${CLOSE}` : `"${OPEN}${index}${CLOSE}"`;
    })
    .join('');
  try {
    return { value: fillJsonValue(parseExactJson(text), pieces, reportLost) };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/**
 * Follows whether the text after this one is inside of a text of JSON. Line breaks there, which n8n permits, are
 * escaped.
 */
function escapeLineBreaks(text: string, scan: { isInText: boolean }): string {
  let result = '';
  for (let index = 0; index < text.length; index += 1) {
    const sign = text.charAt(index);
    if (scan.isInText && sign === '\\') {
      result += sign + text.charAt(index + 1);
      index += 1;
      continue;
    }
    if (sign === '"') scan.isInText = !scan.isInText;
    result += scan.isInText && sign === '\n' ? String.raw`\n` : sign;
  }
  return result;
}

type ReportLost = NodeExpressions['reportLost'];

function fillJsonValue(given: unknown, pieces: readonly TextPiece[], reportLost: ReportLost): unknown {
  if (typeof given === 'string') return fillJsonText(given, pieces, reportLost);
  if (Array.isArray(given)) return given.map((item) => fillJsonValue(item, pieces, reportLost));
  if (typeof given !== 'object' || given === null) return given;
  return Object.fromEntries(
    Object.entries(given).map(([name, item]) => [
      fillJsonText(name, pieces, reportLost),
      fillJsonValue(item, pieces, reportLost),
    ]),
  );
}

function fillJsonText(given: string, pieces: readonly TextPiece[], reportLost: ReportLost): string {
  return given
    .split(OPEN)
    .map((section, index) => {
      const close = index === 0 ? -1 : section.indexOf(CLOSE);
      const piece = close === -1 ? undefined : pieces[Number(section.slice(0, close))];
      const rest = escapeBraces(section.slice(close + 1));
      return piece && 'source' in piece ? writeConfigText(`={{ ${piece.source} }}`, reportLost) + rest : rest;
    })
    .join('');
}
