import { askModelPerItem, nodeOptions, limitedPrompt, modelQuestionText, type AiNodeConverter } from './ask-model';
import { convertAgentMemory } from './memory';
import { attachedModelFields } from './models';
import { readOutputParser } from './schemas';
import { convertAgentTools } from './tools';

const MAX_CONVERTED_STEPS = 50;

export const convertAgent: AiNodeConverter = (conversion, convert) => {
  const options = nodeOptions(conversion);
  const { maxIterations, systemMessage = 'You are a helpful assistant' } = options;
  const reply = readOutputParser(conversion);
  const isLimit = typeof maxIterations === 'number' && maxIterations >= 1;
  if (isLimit && maxIterations > MAX_CONVERTED_STEPS)
    conversion.addRemark(`It has at most ${MAX_CONVERTED_STEPS} steps.`);
  if (conversion.node.parameters['agent'] === 'sqlAgent') conversion.addTodo('Add a tool of the type sql.');
  if (options['returnIntermediateSteps'] === true)
    conversion.addRemark('Its steps are shown in the run, and are no part of the output.');
  return askModelPerItem(conversion, {
    type: 'agent',
    isObject: reply !== undefined,
    resultCode: (answer) => `{ "output": ${reply?.read(answer) ?? answer} }`,
    config(expressions) {
      const tools = convertAgentTools(conversion, convert);
      return {
        ...attachedModelFields(conversion, expressions),
        instructions: limitedPrompt(conversion, systemMessage, expressions),
        input: modelQuestionText(conversion, expressions),
        tools: tools.length > 0 ? tools : undefined,
        memory: convertAgentMemory(conversion, expressions),
        outputSchema: reply?.schema,
        maxSteps: isLimit ? Math.min(Math.round(maxIterations), MAX_CONVERTED_STEPS) : undefined,
      };
    },
  });
};
