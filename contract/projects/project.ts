import { z } from 'zod';
import { CredentialType } from '../credentials/credential';
import { optionalStartNodeId } from '../shared-fields';
import { CreateTableRequest } from '../tables/table';
import { TagNames } from '../tags';
import { JsonObject, boundedText } from '../text';
import { CreateChatRequest } from '../triggers/chat';
import { CreateFormRequest } from '../triggers/form';
import { CreatePollRequest } from '../triggers/poll';
import { CreateScheduleRequest } from '../triggers/schedule';
import { SubscriptionRequest } from '../triggers/subscription';
import { CreateWebhookRequest, WebhookPath } from '../triggers/webhook';
import { DEFAULT_VERIFICATION } from '../triggers/webhook-constants';
import { WebhookVerification } from '../triggers/webhook-verification';
import { MAX_FOLDER_DEPTH } from '../workflows/folder';
import { CreateVariableRequest } from '../workflows/variable';
import { TestExpectations, NodeMocks } from '../workflows/workflow-test';
import {
  DEFAULT_WORKFLOW_SETTINGS,
  WorkflowDefinition,
  ConcurrencyLimit,
  WorkflowSettings,
  WorkflowStatus,
} from '../workflows/workflow';

/** A project has at most this many workflows. */
export const MAX_PROJECT_WORKFLOWS = 200;
/** The JSON of a project has at most this many bytes. */
export const MAX_PROJECT_BYTES = 8 * 1024 * 1024;
const MAX_PROJECT_OBJECTS = 1000;

export const ProjectName = boundedText(1, 100)
  .regex(/^[\p{L}\p{N}][\p{L}\p{N} ._-]*$/u, { error: 'must consist of letters, digits, spaces, . _ and -' })
  .meta({
    id: 'ProjectName',
    description: 'The name of the project: workflows of other projects are left alone',
    example: 'orders',
  });

/** The key that references use. It is unique among the objects of its type in the project. */
const referenceKey = boundedText(1, 400);
const optionalReferenceKey = referenceKey.optional().meta({ description: 'What references use. Default: the name' });
/** The id that the object had in the workspace from which the project was pulled. */
const pulledObjectId = boundedText(1, 100)
  .optional()
  .meta({ description: 'The id of the object where the project was pulled first; absent: it was written by hand' });

const { path: _path, ...webhook } = CreateWebhookRequest.shape;
export const ProjectWebhook = z.strictObject({
  path: WebhookPath.describe('The path in its address'),
  methods: webhook.methods.unwrap().default(['POST']),
  verification: WebhookVerification.default(DEFAULT_VERIFICATION).meta({ description: 'Without secrets' }),
  response: webhook.response.unwrap().default({ mode: 'accepted' }).meta({ description: 'How a delivery is answered' }),
  input: webhook.input.unwrap().default('body').describe('What its runs are given'),
  allowedIps: webhook.allowedIps.unwrap().default([]),
  cors: webhook.cors.unwrap().default(null).describe('Web pages that may call by script; null: none'),
  enabled: z.boolean().default(true).describe('False: it is switched off'),
  subscription: SubscriptionRequest.pick({ connectorId: true, event: true, parameters: true, labels: true })
    .extend({
      credentialId: referenceKey
        .nullable()
        .describe('The key of a credential: the account at the provider; null: none is chosen yet'),
    })
    .optional()
    .meta({
      description:
        'The service makes the webhook at the provider, which determines `verification` and `methods`. A new one waits until ' +
        'somebody subscribes or activates the workflow',
    }),
  startNodeId: webhook.startNodeId,
});

export const ProjectWorkflowTest = z.strictObject({
  name: boundedText(1, 200).describe('What people call it'),
  input: JsonObject.default({}).describe('What the run is given; the start node checks it'),
  mocks: NodeMocks.default({}),
  expectations: TestExpectations.default({ status: 'completed', nodes: {} }).meta({ description: 'What is expected' }),
  startNodeId: optionalStartNodeId,
});

/** Triggers in the files have the fields of the requests that create them, with names in place of ids. */
const projectTriggerFields = {
  webhooks: z.array(ProjectWebhook).max(100).default([]).describe('Deliveries to webhooks per minute'),
  schedules: z.array(CreateScheduleRequest).max(100).default([]).meta({ description: 'As they are created' }),
  polls: z.array(CreatePollRequest).max(100).default([]).meta({ description: 'As they are created' }),
  forms: z.array(CreateFormRequest).max(100).default([]).meta({ description: 'As they are created' }),
  chats: z.array(CreateChatRequest).max(100).default([]).meta({ description: 'As they are created' }),
};

const { errorWorkflowId: _errorWorkflow, concurrency: _concurrency, ...settings } = WorkflowSettings.shape;
const ProjectWorkflowSettings = z.strictObject({
  errorWorkflow: referenceKey
    .nullable()
    .default(null)
    .meta({ description: 'Key of the workflow that a failed run starts' }),
  timeZone: settings.timeZone.default(DEFAULT_WORKFLOW_SETTINGS.timeZone),
  timeoutMs: settings.timeoutMs.default(DEFAULT_WORKFLOW_SETTINGS.timeoutMs),
  retentionDays: settings.retentionDays.default(DEFAULT_WORKFLOW_SETTINGS.retentionDays),
  saveData: settings.saveData.default(DEFAULT_WORKFLOW_SETTINGS.saveData),
  requireTests: settings.requireTests.default(DEFAULT_WORKFLOW_SETTINGS.requireTests),
  isTool: settings.isTool.default(DEFAULT_WORKFLOW_SETTINGS.isTool),
  startNodeId: settings.startNodeId.default(DEFAULT_WORKFLOW_SETTINGS.startNodeId),
});
export type ProjectWorkflowSettings = z.output<typeof ProjectWorkflowSettings>;

/** A workflow as a file. References name credentials, workflows and tables by their keys, in place of ids. */
export const ProjectWorkflow = z
  .strictObject({
    id: pulledObjectId,
    key: optionalReferenceKey,
    name: boundedText(1, 200).describe('What people call it'),
    description: boundedText(0, 10_000).default('').describe('What it is for; may be empty'),
    status: WorkflowStatus.optional().meta({
      description: 'Absent: a push leaves it as it is, and a new workflow is a draft',
    }),
    folder: z
      .array(boundedText(1, 100))
      .max(MAX_FOLDER_DEPTH)
      .default([])
      .meta({ description: 'Names of folders from the top level down; empty: in no folder' }),
    tags: TagNames.default([]).describe('Words that group workflows'),
    concurrency: ConcurrencyLimit.nullable().default(null).meta({ description: 'Null: no limit of concurrent runs' }),
    settings: ProjectWorkflowSettings.prefault({}).describe('How every version runs'),
    triggers: z.strictObject(projectTriggerFields).prefault({}).describe('What starts the workflow'),
    tests: z
      .array(ProjectWorkflowTest)
      .max(500)
      .default([])
      .meta({ description: 'What is checked before it is published' }),
    definition: WorkflowDefinition,
  })
  .meta({
    id: 'ProjectWorkflow',
    description: 'A workflow in the files of a project. References name objects by their keys.',
  });
export type ProjectWorkflow = z.output<typeof ProjectWorkflow>;

/** A credential without its secrets. */
export const ProjectCredential = z
  .strictObject({
    id: pulledObjectId,
    key: optionalReferenceKey,
    name: boundedText(1, 200).describe('What people call it'),
    type: CredentialType,
    connectorId: boundedText(1, 100).nullable().default(null).describe('The connector; null: none'),
    config: JsonObject.default({}).meta({
      description: 'Fields that are not secret. Used to create it where it is missing',
    }),
  })
  .meta({ id: 'ProjectCredential', description: 'A credential in the files of a project, without its secrets' });
export type ProjectCredential = z.output<typeof ProjectCredential>;

/** A table without its rows. */
export const ProjectTable = z
  .strictObject({ id: pulledObjectId, key: optionalReferenceKey, ...CreateTableRequest.shape })
  .meta({ id: 'ProjectTable', description: 'A table in the files of a project, without its rows' });
export type ProjectTable = z.output<typeof ProjectTable>;

const projectObjectFields = {
  workflows: z.array(ProjectWorkflow).max(MAX_PROJECT_WORKFLOWS).default([]).describe('One file for each'),
  credentials: z
    .array(ProjectCredential)
    .max(MAX_PROJECT_OBJECTS)
    .default([])
    .describe('The credentials that it needs'),
  variables: z
    .array(CreateVariableRequest)
    .max(MAX_PROJECT_OBJECTS)
    .default([])
    .meta({ description: 'Variables with their values' }),
  tables: z.array(ProjectTable).max(MAX_PROJECT_OBJECTS).default([]).meta({ description: 'Tables without their rows' }),
};

/** The content of the files of a project. */
export const ProjectContent = z
  .strictObject({
    ...projectObjectFields,
    workspaceId: z.string().describe('Where the files come from'),
    versions: z.record(z.string(), z.number().int()).meta({
      description:
        'Versions of the workflows, by the `id` in the file: a push to this workspace from these files expects them',
    }),
  })
  .meta({ id: 'Project', description: 'Workflows of a workspace and what they use, as files of a project' });
export type ProjectContent = z.output<typeof ProjectContent>;

export const ExportProjectQuery = z.strictObject({
  project: ProjectName,
  tag: boundedText(1, 50).optional().meta({ description: 'Only workflows with this tag, and those that they call' }),
  folder: boundedText(1, 600).optional().meta({
    description:
      'Only workflows in this folder or in one inside it, and those that they call. Names are separated by /',
    example: 'Sales/Orders',
  }),
  workflows: boundedText(1, 8000)
    .optional()
    .meta({ description: 'Only the workflows with these ids, separated by commas, and those that they call' }),
});
export type ExportProjectQuery = z.output<typeof ExportProjectQuery>;

const keyMapping = z
  .record(referenceKey, boundedText(1, 200))
  .refine((given) => Object.keys(given).length <= MAX_PROJECT_OBJECTS, {
    error: `may have at most ${MAX_PROJECT_OBJECTS} entries`,
  });

/** The files of a project, and how they are to be pushed. */
export const PlanProjectRequest = z.strictObject({
  project: ProjectName,
  ...projectObjectFields,
  mapping: z
    .strictObject({
      credentials: keyMapping.default({}).meta({ description: 'By the key of a credential' }),
      tables: keyMapping.default({}).meta({ description: 'By the key of a table' }),
    })
    .prefault({})
    .meta({ description: 'Objects that keys stand for here: a name or id of this workspace' }),
  versions: z
    .record(boundedText(1, 100), z.record(boundedText(1, 400), z.number().int()))
    .default({})
    .meta({
      description:
        'By workspace: the versions of its workflows that the files began with. Absent: those that the last push left',
    }),
  createMissing: z.boolean().default(false).meta({
    description: 'Creates credentials that are missing, without their secrets. False: they are issues',
  }),
  force: z.boolean().default(false).meta({
    description: 'Also replaces workflows that were changed here since the last push, and drafts',
  }),
  prune: z.boolean().default(false).meta({
    description: 'Deletes workflows of the project, and triggers and tests of its workflows, that are not in the files',
  }),
});
export type PlanProjectRequest = z.output<typeof PlanProjectRequest>;

export const ApplyProjectRequest = PlanProjectRequest.extend({
  fingerprint: boundedText(1, 100)
    .optional()
    .meta({ description: 'Of the plan that was looked at: 409 if the plan is another one by now' }),
});
