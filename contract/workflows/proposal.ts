import { z } from 'zod';
import { boundedText } from '../text';
import { MAX_INSTRUCTION_LENGTH, MAX_CONVERSATION_TURNS, MAX_PROPOSED_TRIGGERS } from './proposal-event';
import { TemplateTrigger } from './template';
import { WorkflowDefinition } from './workflow';

/** An earlier message of the conversation: an instruction of the user or a reply of the model. */
const ConversationTurn = z.strictObject({
  role: z.enum(['user', 'assistant']).describe('Who said it'),
  text: boundedText(1, MAX_INSTRUCTION_LENGTH).describe('What was said'),
});

export const ProposeWorkflowRequest = z
  .strictObject({
    instruction: boundedText(1, MAX_INSTRUCTION_LENGTH).meta({
      description: 'What the workflow should do, or what should change',
      example: 'Every new order above 100 euro is sent to the sales channel.',
    }),
    credentialId: boundedText(1, 100).meta({ description: 'A credential of type `llm`; needs `credential:use`' }),
    model: boundedText(1, 200).meta({ description: 'Id of a model of its provider', example: 'claude-haiku-4-5' }),
    definition: WorkflowDefinition.optional().meta({
      description: 'The definition to begin with. Default: the one that was saved last',
    }),
    triggers: z.array(TemplateTrigger).max(MAX_PROPOSED_TRIGGERS).default([]).meta({
      description: 'Triggers that were proposed before and are not created yet',
      example: [],
    }),
    conversation: z.array(ConversationTurn).max(MAX_CONVERSATION_TURNS).default([]).meta({
      description: 'Earlier instructions and answers, oldest first',
      example: [],
    }),
  })
  .meta({ id: 'ProposalRequest', description: 'What a language model is asked to build' });
export type ProposeWorkflowRequest = z.output<typeof ProposeWorkflowRequest>;
