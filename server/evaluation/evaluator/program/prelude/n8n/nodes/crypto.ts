import type { N8nItem } from '../items';
import type { N8nParameters } from '../parameters';
import { copyValue, assignField } from './paths';
import { readTypedParameter } from './typed-parameters';

/** Functions of the service, a global of the sandbox. */
declare const helpers: {
  hash(text: string, algorithm: string, encoding: string): string;
  hmac(text: string, key: string, algorithm: string, encoding: string): string;
  uuid(): string;
};

const HEX_DIGITS = '0123456789abcdef';
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

const randomText = (length: number, letters: string): string =>
  Array.from({ length }, () => letters[Math.floor(Math.random() * letters.length)]).join('');

function generateText(parameters: N8nParameters): string {
  const encoding = readTypedParameter(parameters, 'encodingType', 'uuid');
  if (encoding === 'uuid') return helpers.uuid();
  const length = readTypedParameter(parameters, 'stringLength', 32);
  return randomText(length, encoding === 'hex' ? HEX_DIGITS : LETTERS);
}

function computeDigest(action: string, parameters: N8nParameters): string {
  if (action !== 'hash' && action !== 'hmac') throw new Error(`The action ${action} has no counterpart`);
  if (readTypedParameter(parameters, 'binaryData', false)) throw new Error('A digest of a file has no counterpart');
  const value = readTypedParameter<unknown>(parameters, 'value', '');
  if (typeof value !== 'string')
    throw new Error(`The "data" argument must be of type string. Received type ${typeof value}`);
  const algorithm = readTypedParameter(parameters, 'type', 'MD5').toLowerCase();
  const encoding = readTypedParameter(parameters, 'encoding', 'hex');
  if (action === 'hash') return helpers.hash(value, algorithm, encoding);
  return helpers.hmac(value, readTypedParameter(parameters, 'secret', ''), algorithm, encoding);
}

/** The item that the node `crypto` makes of an item. */
export function addDigest(parameters: N8nParameters, item: N8nItem): N8nItem {
  const action = readTypedParameter(parameters, 'action', 'hash');
  const json = copyValue(item.json);
  const value = action === 'generate' ? generateText(parameters) : computeDigest(action, parameters);
  // The name is one key here, also with dots.
  assignField(json, readTypedParameter(parameters, 'dataPropertyName', 'data'), value, false);
  return { json, binary: item.binary };
}
