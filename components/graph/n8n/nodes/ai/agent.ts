import { asking, optionsOf, promptOf, questionOf, type ConvertAi } from './asking';
import { memoryOf } from './memory';
import { attachedModel } from './models';
import { parserSchema } from './schemas';
import { toolsOf } from './tools';

const MAX_STEPS = 50;

export const agent: ConvertAi = (conversion, convert) => {
  const options = optionsOf(conversion);
  const { maxIterations, systemMessage = 'You are a helpful assistant' } = options;
  const outputSchema = parserSchema(conversion);
  const isLimit = typeof maxIterations === 'number' && maxIterations >= 1;
  if (isLimit && maxIterations > MAX_STEPS) conversion.say(`It has at most ${MAX_STEPS} steps.`);
  if (conversion.node.parameters['agent'] === 'sqlAgent') conversion.todo('Add a tool of the type sql.');
  if (options['returnIntermediateSteps'] === true)
    conversion.say('Its steps are shown in the run, and are no part of the output.');
  return asking(conversion, {
    type: 'agent',
    isObject: outputSchema !== undefined,
    given: (answer) => `{ "output": ${answer} }`,
    config(expressions, item) {
      const tools = toolsOf(conversion, item, convert);
      return {
        ...attachedModel(conversion, expressions),
        instructions: promptOf(conversion, systemMessage, expressions),
        input: questionOf(conversion, expressions),
        tools: tools.length > 0 ? tools : undefined,
        memory: memoryOf(conversion, expressions),
        outputSchema,
        maxSteps: isLimit ? Math.min(Math.round(maxIterations), MAX_STEPS) : undefined,
      };
    },
  });
};
