import { EXPRESSION_FUNCTIONS, type ExpressionFunctionName } from '@/contract/workflows/expression-functions';
import { InvalidCallError } from './arguments';
import { addTimeAmount, timeDifference, endOfTimeUnit, formatDate, parseDate, startOfTimeUnit } from './dates';
import { hashTextValue, signTextValue, parseCsvArgument, parseJsonArgument, encodeForUrl, createUuid } from './texts';

/** `timeZone`: the default zone. */
type FunctionImplementation = (values: unknown[], timeZone: string) => unknown;

const FUNCTION_IMPLEMENTATIONS: Record<ExpressionFunctionName, FunctionImplementation> = {
  formatDate,
  parseDate,
  addTime: addTimeAmount,
  diffTime: timeDifference,
  startOf: startOfTimeUnit,
  endOf: endOfTimeUnit,
  hash: hashTextValue,
  hmac: signTextValue,
  uuid: createUuid,
  parseJson: parseJsonArgument,
  parseCsv: parseCsvArgument,
  urlEncode: encodeForUrl,
};

/** Functions that take no value. */
const VALUELESS_FUNCTIONS = new Set<string>(['uuid']);

/**
 * Calls a function of expressions. As with JSONata's own, a missing first argument gives nothing. Throws an Error whose
 * message names the function.
 */
export function callExpressionFunction(name: string, values: unknown[], timeZone: string): unknown {
  const implementation = FUNCTION_IMPLEMENTATIONS[name as ExpressionFunctionName];
  if (values[0] === undefined && !VALUELESS_FUNCTIONS.has(name)) return undefined;
  try {
    return implementation(values, timeZone);
  } catch (error) {
    if (!(error instanceof InvalidCallError)) throw error;
    throw new InvalidCallError(`${name}: ${error.message}`);
  }
}

export const EXPRESSION_FUNCTION_NAMES: readonly string[] = EXPRESSION_FUNCTIONS.map(({ name }) => name);
