import { parameterText, parameterValue } from '../../conversion';
import { asN8nObject } from '../../file';
import { convertJsonText } from '../../n8n-expressions';
import { chosenListValue } from '../http';
import type { AiNodeConverter } from './ask-model';

/** A call of a tool of an MCP server, for each item. */
export const convertMcpClient: AiNodeConverter = (conversion) => {
  const { tool, inputMode = 'manual', parameters, jsonInput } = conversion.node.parameters;
  const { expressions } = conversion;
  const name = chosenListValue(tool);
  conversion.addTodo('Choose a credential of the kind MCP server.');
  conversion.addTodo('Check what reads its result: it has other fields.');
  if (typeof name !== 'string' || name === '' || name.startsWith('='))
    conversion.addTodo('Enter the name of its tool.');
  const written =
    inputMode === 'json'
      ? typeof jsonInput === 'string' && convertJsonText(jsonInput, expressions, true)?.value
      : parameterValue(asN8nObject(asN8nObject(parameters)['value']), expressions);
  const given = asN8nObject(written);
  if (typeof written === 'string')
    conversion.addTodo('Enter its arguments: one expression for all of them is left out.');
  return conversion.createCall({
    type: 'mcp',
    config: {
      tool: typeof name === 'string' ? conversion.limitText(parameterText(name, expressions), 200) : undefined,
      arguments: Object.keys(given).length > 0 ? given : undefined,
    },
  });
};
