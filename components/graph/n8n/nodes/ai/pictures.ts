import type { Conversion, Piece } from '../../conversion';
import { cut } from '../../file';
import { asking, promptOf } from './asking';
import { ownModel } from './models';
import type { Expressions } from '../../text';

/** Addresses of pictures that are one address: an expression, or a text without commas. */
const isOne = (given: unknown): boolean =>
  typeof given === 'string' && given.trim() !== '' && (given.startsWith('=') || !given.includes(','));

/** What a model is asked about a picture. */
const configOf = (conversion: Conversion, expressions: Expressions, files: string) => ({
  ...ownModel(conversion, expressions),
  prompt: promptOf(conversion, conversion.node.parameters['text'], expressions) ?? 'What is in this image?',
  files,
});

/** A node of a provider that asks what is in a picture: a file that comes in, or one that is read from its address before. */
export function picture(conversion: Conversion, given: (answer: string) => string): Piece {
  const { id, node, around, source } = conversion;
  const { inputType = 'url', imageUrls } = node.parameters;
  const isFile = inputType !== 'url';
  if (isFile || source.isList || !isOne(imageUrls)) {
    conversion.todo('Choose the file of the image that it reads.');
    return asking(conversion, {
      type: 'llm',
      isObject: false,
      given,
      config: (expressions) => configOf(conversion, expressions, `{{ ${expressions.scope.json} }}`),
    });
  }
  const requestId = around.idOf(`${id}_image`);
  const url = conversion.limited(promptOf(conversion, imageUrls, conversion.expressions(conversion.json)), 16_000);
  const { x, y } = node.position;
  const {
    retry: _,
    notes: __,
    ...request
  } = conversion.written(requestId, 'http_request', { url, responseType: 'file' });
  // What the model gets is the answer of the request: expressions name what came in before.
  const llm = conversion.written(
    id,
    'llm',
    configOf(conversion, conversion.expressions(source.code), '{{ input.body }}'),
  );
  return {
    ...conversion.whole({ type: 'llm', config: {} }),
    nodes: [
      { ...request, name: cut(`${node.name}: image`, 200) },
      { ...llm, position: { x: x + 120, y: y + 120 } },
    ],
    connections: [{ sourceNode: requestId, sourcePort: 'output', targetNode: id, targetPort: 'input' }],
    entries: [requestId],
    result: { path: undefined, code: given(`nodes.${id}.text`), isList: false },
  };
}
