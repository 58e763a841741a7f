import { z } from 'zod';
import type { FieldIssue } from '@/contract/error-response';
import { CreateChatRequest } from '@/contract/triggers/chat';
import { CreateFormRequest } from '@/contract/triggers/form';
import { CreatePollRequest } from '@/contract/triggers/poll';
import { CreateScheduleRequest } from '@/contract/triggers/schedule';
import { CreateWebhookRequest } from '@/contract/triggers/webhook';
import { definitionLanguage } from '@/contract/workflows/expression-language';
import { TemplateTrigger } from '@/contract/workflows/template';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import { explainMissingValue, toFieldErrors } from '@/server/platform/errors/zod-issues';
import { startNodeProblem } from '@/server/workflow/nodes/flow/start';
import { formatBriefFields } from './field-types';

const SETTINGS_BY_KIND = {
  webhook: CreateWebhookRequest,
  form: CreateFormRequest,
  chat: CreateChatRequest,
  schedule: CreateScheduleRequest,
  poll: CreatePollRequest,
} satisfies Record<TemplateTrigger['kind'], z.ZodType>;

/** The schema by which a model submits triggers. Their settings are described in the instructions. */
export const TRIGGER_PROPERTY_SCHEMA = {
  type: 'object',
  properties: {
    kind: { type: 'string', enum: Object.keys(SETTINGS_BY_KIND) },
    settings: { type: 'object', description: 'By the fields of the kind' },
  },
  required: ['kind', 'settings'],
} as const;

let cachedTriggerKinds: string | undefined;

/** Every kind of trigger with its settings, one line each. Made from the schemas once for each process. */
export function formatTriggerKinds(): string {
  cachedTriggerKinds ??= Object.entries(SETTINGS_BY_KIND)
    .flatMap(([kind, schema]) => {
      const fields = z.toJSONSchema(schema, { target: 'draft-7', io: 'input', unrepresentable: 'any' });
      return [kind, ...formatBriefFields(fields).map((line) => `  ${line}`)];
    })
    .join('\n');
  return cachedTriggerKinds;
}

/** What is known of the workflow and of its author when triggers are judged. */
interface TriggerSurroundings {
  definition: WorkflowDefinition;
  /** Ids of credentials that a trigger may name. */
  credentialIds: ReadonlySet<string>;
  /** Why the service would not create a trigger, by paths of its settings. */
  check(trigger: TemplateTrigger): Promise<FieldIssue[]>;
  /** Parameters that a person has to pick, by paths that begin with `triggers[0]`. */
  unpicked: readonly FieldIssue[];
}

interface JudgedTriggers {
  /** Those that the service would create. */
  triggers: TemplateTrigger[];
  /** What the model has to correct. */
  issues: FieldIssue[];
  /** What is left to a person: a trigger without its account is not created. */
  problems: FieldIssue[];
}

/** Judges the triggers of a submission by the schemas and the checks of the operations that create them. */
export async function judgeTriggers(
  submitted: readonly unknown[],
  { definition, credentialIds, check, unpicked }: TriggerSurroundings,
): Promise<JudgedTriggers> {
  const judged: JudgedTriggers = { triggers: [], issues: [], problems: [] };
  for (const [index, value] of submitted.entries()) {
    const at = `triggers[${index}]`;
    const parsed = TemplateTrigger.safeParse(inLanguageOfWorkflow(value, definition), { error: explainMissingValue });
    if (!parsed.success) {
      judged.issues.push(...toFieldErrors(parsed.error, ['triggers', index]));
      continue;
    }
    const trigger = parsed.data;
    const account = findTriggerAccount(trigger);
    const isUnknown = account !== undefined && !credentialIds.has(account);
    const issues = isUnknown ? [] : [...startNodeIssues(trigger, definition), ...(await check(trigger))];
    const lacksAccount = issues.length > 0 && issues.every(({ field }) => field.endsWith('credentialId'));
    const placed = issues.map(({ field, message }) => ({ field: `${at}.settings${field && `.${field}`}`, message }));
    // What a person has to pick cannot be corrected by the model.
    const wrong = placed.filter(({ field }) => !unpicked.some((one) => one.field === field));
    if (isUnknown || lacksAccount) judged.problems.push({ field: at, message: missingAccountSentence(trigger) });
    else if (wrong.length > 0) judged.issues.push(...wrong);
    else if (issues.length > 0) judged.problems.push({ field: at, message: missingChoiceSentence(trigger) });
    else judged.triggers.push(trigger);
  }
  return judged;
}

/** A poll without a language is written in the language of its workflow. */
function inLanguageOfWorkflow(value: unknown, definition: WorkflowDefinition): unknown {
  const { kind, settings } = Object(value) as { kind?: unknown; settings?: unknown };
  if (kind !== 'poll' || typeof settings !== 'object') return value;
  return { ...Object(value), settings: { language: definitionLanguage(definition), ...settings } };
}

function findTriggerAccount(trigger: TemplateTrigger): string | undefined {
  if (trigger.kind === 'poll') return trigger.settings.node.credentialId;
  return trigger.kind === 'webhook' ? (trigger.settings.subscription?.credentialId ?? undefined) : undefined;
}

function startNodeIssues({ settings }: TemplateTrigger, definition: WorkflowDefinition): FieldIssue[] {
  const { startNodeId } = settings;
  const problem = startNodeId == null ? null : startNodeProblem(definition, startNodeId);
  return problem === null ? [] : [{ field: 'startNodeId', message: problem }];
}

const missingChoiceSentence = (trigger: TemplateTrigger): string =>
  trigger.kind === 'poll'
    ? `The poll “${trigger.settings.name}” is not created: add it under Triggers, and choose there`
    : 'The webhook at the provider is not created: add it under Triggers, and choose there';

const missingAccountSentence = (trigger: TemplateTrigger): string =>
  trigger.kind === 'poll'
    ? `The poll “${trigger.settings.name}” needs an account: connect one, then add the poll under Triggers`
    : 'The webhook needs an account of the service that calls it: connect one, then add the webhook under Triggers';
