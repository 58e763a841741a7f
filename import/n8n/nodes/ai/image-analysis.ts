import type { NodeConversion, ConvertedNodes } from '../../conversion';
import { cutWellFormed } from '../../file';
import { askModelPerItem, limitedPrompt } from './ask-model';
import { ownModelFields } from './models';
import type { NodeExpressions } from '../../n8n-expressions';

/** Whether a parameter has one address of an image: an expression, or a text without commas. */
const isSingleAddress = (given: unknown): boolean =>
  typeof given === 'string' && given.trim() !== '' && (given.startsWith('=') || !given.includes(','));

/** The config of a node that asks a model about an image. */
const imageQuestionConfig = (conversion: NodeConversion, expressions: NodeExpressions, files: string) => ({
  ...ownModelFields(conversion, expressions),
  prompt: limitedPrompt(conversion, conversion.node.parameters['text'], expressions) ?? 'What is in this image?',
  files,
});

/**
 * A node of a provider that asks what is in a picture: a file that comes in, or one that is read from its address
 * before.
 */
export function convertImageAnalysis(conversion: NodeConversion, given: (answer: string) => string): ConvertedNodes {
  const { id, node, context: around, source } = conversion;
  const { inputType = 'url', imageUrls } = node.parameters;
  const isFile = inputType !== 'url';
  if (isFile || source.isList || !isSingleAddress(imageUrls)) {
    conversion.addTodo('Choose the file of the image that it reads.');
    return askModelPerItem(conversion, {
      type: 'llm',
      isObject: false,
      resultCode: given,
      config: (expressions) => imageQuestionConfig(conversion, expressions, `{{ ${expressions.scope.json} }}`),
    });
  }
  const requestId = around.createId(`${id}_image`);
  const url = conversion.limitText(
    limitedPrompt(conversion, imageUrls, conversion.expressions(conversion.json)),
    16_000,
  );
  const { x, y } = node.position;
  const {
    retry: _,
    notes: __,
    ...request
  } = conversion.createNode(requestId, 'http_request', { url, responseType: 'file' });
  // The input of the model is the response of the request, so expressions name the data before it.
  const llm = conversion.createNode(
    id,
    'llm',
    imageQuestionConfig(conversion, conversion.expressions(source.code), '{{ input.body }}'),
  );
  return {
    ...conversion.asSingleNode({ type: 'llm', config: {} }),
    nodes: [
      { ...request, name: cutWellFormed(`${node.name}: image`, 200) },
      { ...llm, position: { x: x + 120, y: y + 120 } },
    ],
    connections: [{ sourceNode: requestId, sourcePort: 'output', targetNode: id, targetPort: 'input' }],
    entries: [requestId],
    result: { path: undefined, code: given(`nodes.${id}.text`), isList: false },
  };
}
