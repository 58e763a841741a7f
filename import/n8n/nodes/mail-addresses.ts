import { parameterText } from '../conversion';
import { isN8nExpression, type NodeExpressions } from '../n8n-expressions';

const MAIL_ADDRESS_PATTERN = /^[^\s@,;<>{}"]{1,64}@[^\s@,;<>{}"]{1,190}$/;

/** Addresses in a parameter: a text with an expression, or a list of valid ones; undefined: there are none. */
export function mailAddresses(given: unknown, expressions: NodeExpressions): string | string[] | undefined {
  const text = mailAddressText(given, expressions);
  return typeof text === 'string' && text.length > 10_000 ? undefined : text;
}

function mailAddressText(given: unknown, expressions: NodeExpressions): string | string[] | undefined {
  if (typeof given !== 'string' || given.trim() === '') return undefined;
  if (isN8nExpression(given) && given.includes('{{')) return parameterText(given, expressions);
  const all = given
    .replace(/^=/, '')
    .split(/[,;]/)
    .map((one) => one.trim())
    .filter((one) => MAIL_ADDRESS_PATTERN.test(one));
  return all.length > 0 ? all.slice(0, 100) : undefined;
}
