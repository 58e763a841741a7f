import jsonata from 'jsonata';
import type { ExpressionLanguage } from '@/contract/workflows/expression-language';
import type { ConversionData, ConversionDoubt, ConversionRefusal, ConvertedExpression } from './conversion';
import { readJavascript } from './javascript-syntax';
import { convertJavascript } from './javascript-to-jsonata';
import { convertJsonata } from './jsonata-to-javascript';

/** A text in the other language. */
export interface ConvertedText {
  text: string;
  doubts: ConversionDoubt[];
}

/** What an expression sees. `names`: those that it has in place of the usual ones. */
export interface ConversionSight {
  data?: ConversionData;
  names?: readonly string[] | undefined;
}

const convertSource = (
  source: string,
  to: ExpressionLanguage,
  { data, names }: ConversionSight,
): ConvertedExpression | ConversionRefusal =>
  to === 'javascript' ? convertJsonata(source, data, names) : convertJavascript(source, data, names);

function isReadable(source: string, language: ExpressionLanguage): boolean {
  try {
    if (language === 'javascript') readJavascript(source);
    else jsonata(source);
    return true;
  } catch {
    return false;
  }
}

/** Number of `}}` that are tried as the end of one expression. */
const MAX_CLOSING_ATTEMPTS = 50;

/** Where the expression ends that begins at a place: before the first `}}` after a text that can be read. */
function findExpressionEnd(text: string, from: number, language: ExpressionLanguage): number | undefined {
  let end = text.indexOf('}}', from);
  for (let attempt = 0; end !== -1 && attempt < MAX_CLOSING_ATTEMPTS; attempt += 1) {
    if (isReadable(text.slice(from, end), language)) return end;
    end = text.indexOf('}}', end + 1);
  }
  return undefined;
}

function convertTemplate(
  text: string,
  to: ExpressionLanguage,
  sight: ConversionSight,
): ConvertedText | ConversionRefusal {
  const from = to === 'javascript' ? 'jsonata' : 'javascript';
  const doubts: ConversionDoubt[] = [];
  let converted = '';
  let at = 0;
  for (let open = text.indexOf('{{'); open !== -1; open = text.indexOf('{{', at)) {
    const end = findExpressionEnd(text, open + 2, from);
    if (end === undefined) return { reason: 'It has an error', position: open };
    const source = text.slice(open + 2, end);
    const found = convertSource(source, to, sight);
    if ('reason' in found) return { reason: found.reason, position: open + 2 + found.position };
    doubts.push(...found.doubts.map((doubt) => ({ ...doubt, position: open + 2 + doubt.position })));
    converted += `${text.slice(at, open)}{{ ${found.text} }}`;
    at = end + 2;
  }
  return { text: converted + text.slice(at), doubts };
}

const DATE_LITERAL = /^\d{4}-\d{2}-\d{2}(T[\d:.]+(Z|[+-]\d{2}:?\d{2})?)?$/;

/** Converts a text of a field to a language. `isBare`: the whole text is an expression, or one in `{{ }}`. */
export function convertFieldText(
  text: string,
  isBare: boolean,
  to: ExpressionLanguage,
  sight: ConversionSight = {},
): ConvertedText | ConversionRefusal {
  if (isBare && (text.trim() === '' || DATE_LITERAL.test(text))) return { text, doubts: [] };
  const isBraced = isBare && /^\s*\{\{[^]*\}\}\s*$/.test(text);
  return isBare && !isBraced ? convertSource(text, to, sight) : convertTemplate(text, to, sight);
}
