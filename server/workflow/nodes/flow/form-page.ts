import { z } from 'zod';
import { MS_PER_DAY } from '@/contract/units';
import { completeNode, defineNodeType } from '../node-type';
import { requiredField } from '../field-traits';
import { nodeFormFields } from './form-fields';

const MAX_PAGE_WAIT_MS = 365 * MS_PER_DAY;

export const formPageNodeType = defineNodeType({
  type: 'form_page',
  title: 'Form page',
  summary: 'Shows the visitor of the form another page, and waits until it is filled in.',
  synonyms: ['next page', 'multi-step form', 'step', 'wizard', 'questionnaire', 'ask', 'input', 'form'],
  category: 'human',
  config: z.strictObject({
    title: z.string().max(200).optional().meta({ title: 'Title', description: 'Empty: that of the form.' }),
    description: z.string().max(5000).optional().meta({
      title: 'Description',
      description: 'Shown above the fields.',
      'x-editor': 'multiline',
    }),
    form: z
      .strictObject({ fields: nodeFormFields.meta({ apiDescription: 'The fields of the page, in order' }) })
      .optional()
      .apply(requiredField)
      .meta({
        title: 'Fields',
        description: 'What the page asks for. The values are the output.',
        'x-editor': 'form-fields',
        'x-takes-files': true,
      }),
    buttonText: z.string().max(60).optional().meta({ title: 'Button', description: 'Empty: Send.' }),
    expiresInMs: z.number().int().min(1).max(MAX_PAGE_WAIT_MS).optional().meta({
      title: 'Expires after',
      description: 'Empty: never. Then the run goes on at the port expired.',
      'x-editor': 'duration',
    }),
  }),
  hasInput: true,
  seesInput: false,
  outputs: ['output', 'expired'],
  credentialTypes: [],
  isOutside: false,
  inTests: 'mock',
  takesCall: 'page',
  async run({ config, call, waitingSince, log }) {
    if (call) return completeNode(await call.read());
    const { form, expiresInMs, ...texts } = config;
    const until = expiresInMs === undefined ? null : new Date((waitingSince?.getTime() ?? Date.now()) + expiresInMs);
    if (!until || until.getTime() > Date.now()) {
      if (!waitingSince) log('info', 'Waiting for the visitor of the form');
      const page = { ...texts, fields: form?.fields ?? [] };
      return { kind: 'wait', until, forDecision: false, held: { awaitsCall: true, page } };
    }
    log('warn', 'The page was not filled in in time');
    return completeNode({ expiredAt: until.toISOString() }, 'expired');
  },
});
