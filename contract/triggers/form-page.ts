import { z } from 'zod';
import { Timestamp } from '../text';

const OpenFormPage = z
  .object({
    nodeId: z.string().describe('The node that shows it; inside loops with rounds: `loop[3].inner`'),
    title: z.string().describe('Heading that people see'),
    url: z.string().describe('The address at which the page is filled in, once. It needs no sign-in'),
    expiresAt: Timestamp.nullable().describe('When it expires; null: never'),
  })
  .meta({ id: 'OpenFormPage', description: 'A page of a form that a run shows, and that is not filled in' });

export const ListOpenFormPagesResponse = z
  .object({ data: z.array(OpenFormPage).describe('In the order in which the run reached them') })
  .meta({ id: 'OpenFormPages', description: 'The pages of forms that an execution waits for' });
export type ListOpenFormPagesResponse = z.infer<typeof ListOpenFormPagesResponse>;
