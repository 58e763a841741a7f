import { EXPRESSION_FUNCTIONS, type ExpressionFunction } from '@/contract/workflows/expression-functions';
import { InvalidCall } from './arguments';
import { addTime, diffTime, endOf, formatDate, parseDate, startOf } from './dates';
import { hash, hmac, parseCsv, parseJson, urlEncode, uuid } from './texts';

/** `timeZone`: the default zone. */
type Implementation = (values: unknown[], timeZone: string) => unknown;

const FUNCTIONS: Record<ExpressionFunction, Implementation> = {
  formatDate,
  parseDate,
  addTime,
  diffTime,
  startOf,
  endOf,
  hash,
  hmac,
  uuid,
  parseJson,
  parseCsv,
  urlEncode,
};

/** Functions that take no value. */
const WITHOUT_VALUE = new Set<string>(['uuid']);

/**
 * Calls a function of expressions. As with JSONata's own, a missing first argument gives nothing. Throws an Error whose message names the
 * function.
 */
export function callFunction(name: string, values: unknown[], timeZone: string): unknown {
  const implementation = FUNCTIONS[name as ExpressionFunction];
  if (values[0] === undefined && !WITHOUT_VALUE.has(name)) return undefined;
  try {
    return implementation(values, timeZone);
  } catch (error) {
    if (!(error instanceof InvalidCall)) throw error;
    throw new InvalidCall(`${name}: ${error.message}`);
  }
}

export const FUNCTION_NAMES: readonly string[] = EXPRESSION_FUNCTIONS.map(({ name }) => name);
