import type { NodeConversion } from '../conversion';
import { writeParameterSource } from '../items/parameter-source';
import type { NodeExpressions } from '../n8n-expressions';

/** Parameters with the name of the file of an item. */
const FILE_NAME_PARAMETERS = ['binaryPropertyName', 'inputDataFieldName', 'binaryProperty', 'dataPropertyName'];

/** A file of the item that comes in by its name, in JavaScript. */
export const itemFileText = (name: unknown, { reportLost }: NodeExpressions): string =>
  `{{ input.$files?.[${writeParameterSource(name ?? 'data', reportLost)}] }}`;

/** The file of the item that comes in, by the parameter that names it, in JavaScript. */
export function incomingFile({ node: { parameters } }: NodeConversion, expressions: NodeExpressions): string {
  const name = FILE_NAME_PARAMETERS.map((one) => parameters[one]).find((one) => typeof one === 'string');
  return itemFileText(name, expressions);
}
