import type { NodeConversion, ConvertedCall } from '../../conversion';
import { asksAboutAddress, READ_IMAGE_NAME } from '../../items/image-question';
import { incomingFile } from '../incoming-file';
import { askModelPerItem, limitedPrompt } from './ask-model';
import { ownModelFields } from './models';

/** A node of a provider that asks what is in a picture: a file of the item, or one that is read from its address before. */
export function convertImageAnalysis(conversion: NodeConversion, given: (answer: string) => string): ConvertedCall {
  const { inputType = 'url', text } = conversion.node.parameters;
  const isRead = asksAboutAddress(conversion);
  if (inputType === 'url' && !isRead) conversion.addTodo('Choose the file of the image that it reads.');
  return askModelPerItem(conversion, {
    type: 'llm',
    isObject: false,
    resultCode: given,
    config: (expressions) => ({
      ...ownModelFields(conversion, expressions),
      prompt: limitedPrompt(conversion, text, expressions) ?? 'What is in this image?',
      files: isRead ? `{{ input.$files?.${READ_IMAGE_NAME} }}` : incomingFile(conversion, expressions),
    }),
  });
}
