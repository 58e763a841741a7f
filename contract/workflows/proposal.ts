import { z } from 'zod';
import { text } from '../text';
import { MAX_INSTRUCTION, MAX_TURNS } from './proposal-event';
import { Definition } from './workflow';

/** What was said before, in order. */
const Turn = z.strictObject({
  role: z.enum(['user', 'assistant']).describe('Who said it'),
  text: text(1, MAX_INSTRUCTION).describe('What was said'),
});

export const ProposalRequest = z
  .strictObject({
    instruction: text(1, MAX_INSTRUCTION).meta({
      description: 'What the workflow should do, or what should change',
      example: 'Every new order above 100 euro is sent to the sales channel.',
    }),
    credentialId: text(1, 100).meta({ description: 'A credential of type `llm`; needs `credential:use`' }),
    model: text(1, 200).meta({ description: 'Id of a model of its provider', example: 'claude-haiku-4-5' }),
    definition: Definition.optional().meta({
      description: 'The definition to begin with. Default: the one that was saved last',
    }),
    conversation: z.array(Turn).max(MAX_TURNS).default([]).meta({
      description: 'Earlier instructions and answers, oldest first',
      example: [],
    }),
  })
  .meta({ id: 'ProposalRequest', description: 'What a language model is asked to build' });
export type ProposalRequest = z.output<typeof ProposalRequest>;
