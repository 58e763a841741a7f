import { z } from 'zod';
import { FormFieldSchema } from './triggers/form';
import { JsonObject, Timestamp, boundedText } from './text';

export const ApprovalPrompt = z
  .object({
    message: z.string().describe('What the person is asked'),
    assignees: z
      .array(z.string())
      .meta({ description: 'Who may decide besides admins and owners; empty: everyone with execution:resume' }),
    expiresAt: Timestamp.optional().describe('When it expires; null: never'),
    fields: z.array(FormFieldSchema).optional().meta({ description: 'What the decision asks for' }),
  })
  .meta({ id: 'Asked', description: 'Message and assignees of an approval, with evaluated expressions' });
export type ApprovalPrompt = z.infer<typeof ApprovalPrompt>;

export const ApprovalDecision = z.enum(['approved', 'rejected']);
export type ApprovalDecision = z.infer<typeof ApprovalDecision>;

/** The values that the person who decides entered into the fields of the approval. */
const DecisionFieldValues = JsonObject.optional().meta({
  description: 'The values of the fields that the approval asks for, by name. A rejection may leave fields out',
});

export const ResumeExecutionRequest = z.strictObject({
  nodeId: boundedText(1, 300).describe('The node; inside loops with rounds: `loop[3].inner`'),
  decision: ApprovalDecision.describe('What the person decides'),
  comment: boundedText(0, 10_000).optional().describe('A reason for the decision'),
  data: DecisionFieldValues,
});

/** The token in the approval link of an assignee: the part after `#`. */
const DecisionLinkToken = z.string().max(4000);

export const ReadDecisionRequest = z.strictObject({ token: DecisionLinkToken.describe('The token of the link') });

export const MakeDecisionRequest = z.strictObject({
  token: DecisionLinkToken.describe('The token of the link'),
  decision: ApprovalDecision.describe('What the person decides'),
  comment: boundedText(0, 10_000).optional().describe('A reason for the decision'),
  data: DecisionFieldValues,
});

/** The approval request of an assignee. */
export const PendingDecision = z
  .object({
    workflow: z.string().describe('What people call the workflow that asks'),
    message: z.string().describe('What the person is asked'),
    email: z.string().describe('Where mail to the person goes'),
    expiresAt: Timestamp.nullable().describe('When it expires; null: never'),
    isOpen: z.boolean().meta({ description: 'False: decided already, or the run ended' }),
    decision: ApprovalDecision.nullable().describe('What was decided; null: it is still open'),
    fields: z.array(FormFieldSchema).optional().meta({ description: 'What the decision asks for' }),
  })
  .meta({ id: 'PendingDecision', description: 'The question of an approval, for the holder of its link' });
export type PendingDecision = z.infer<typeof PendingDecision>;
