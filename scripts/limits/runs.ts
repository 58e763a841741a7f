import { z } from 'zod';
import { MAX_SECRET_ENTRIES, MAX_SECRET_CHARACTERS } from '../../contract/credentials/credential-fields';
import { MAX_PINNED_CHARACTERS, MAX_PINNED_TOTAL_CHARACTERS } from '../../contract/workflows/pin';
import { MAX_PROJECT_BYTES, MAX_PROJECT_WORKFLOWS } from '../../contract/projects/project';
import { MAX_FOLDER_DEPTH } from '../../contract/workflows/folder';
import { MAX_NODE_GROUPS, MAX_CANVAS_NOTES, WorkflowNode, RetryPolicy } from '../../contract/workflows/workflow';
import { MAX_N8N_EXPRESSIONS, MAX_N8N_LINKS, MAX_N8N_NODES, MAX_N8N_TEXT } from '../../import/n8n/file';
import { MAX_BUILDER_REPLIES, MAX_BUILDER_TOKENS } from '../../server/workflow/builder/propose';
import { MAX_CHOICE_QUESTIONS, MAX_LOOKED_UP_CHOICES } from '../../server/workflow/builder/choice-lookup';
import { MAX_CONCURRENT_PROPOSALS } from '../../server/workflow/builder/proposal-limit';
import { MAX_NODE_LOG_LINES } from '../../server/engine/attempt/context';
import { MAX_REMEMBERED_KEYS } from '../../server/triggers/polls/remembered-keys';
import { MAX_DESCENDANTS, MAX_RUN_DEPTH } from '../../server/engine/queue/children';
import { MAX_RUN_CRASHES } from '../../server/engine/queue/lease';
import { MAX_PARALLEL_NODES } from '../../server/engine/run/run';
import { MAX_FILES_PER_VALUE, MAX_OUTPUT_BYTES } from '../../server/engine/store/value';
import { readServiceEnv } from '../../server/platform/env/env';
import {
  CONVERSION_CPU_FACTOR,
  MAX_CONVERTED_BYTES,
  MAX_ARCHIVE_FILES as MAX_ARCHIVE_ENTRIES,
  MAX_EXPANSION_RATIO,
  MEMORY_OUTSIDE_HEAP_BYTES,
} from '../../server/evaluation/evaluator/convert-job';
import {
  MAX_LOG_LINE_LENGTH,
  MAX_LOG_LINES,
  MAX_CODE_OUTPUT_BYTES as MAX_CODE_OUTPUT,
} from '../../server/evaluation/evaluator/program/code-limits';
import { EXPRESSION_SIZE_LIMITS } from '../../server/evaluation/evaluator/program/jsonata';
import { MAX_POLLED_ITEMS } from '../../server/evaluation/evaluator/program/poll';
import { MAX_SCHEMA_CHARACTERS } from '../../server/evaluation/evaluator/program/json-schema';
import {
  MAX_PREVIEW_BODY_BYTES,
  MAX_PREVIEW_MS,
  MAX_PREVIEW_OUTPUT,
  MAX_PREVIEWED_NODES,
} from '../../contract/workflows/node-preview';
import { MAX_WAITING_EVALUATIONS } from '../../server/evaluation/evaluator/pool';
import { MAX_DECLARED_NAMES, MAX_EXPRESSION_LENGTH } from '../../server/evaluation/expressions/limits';
import { MAX_JSON_NESTING as MAX_VALUE_DEPTH } from '../../server/evaluation/expressions/json-depth';
import { MAX_PATTERN_LENGTH, MAX_PATTERN_REPEAT } from '../../server/evaluation/expressions/regex/check';
import { CODE_MEMORY_BYTES, MAX_CODE_CPU_MS } from '../../server/workflow/nodes/code';
import { MAX_LOOP_ITEMS } from '../../server/workflow/nodes/flow/for-each';
import { MAX_REPEAT_ROUNDS } from '../../server/workflow/nodes/flow/repeat';
import { MAX_RESPONSE_BODY_BYTES, MAX_RESPONSE_HEADERS } from '../../server/workflow/nodes/flow/respond';
import { MAX_RETRY_BACKOFF_MS } from '../../server/workflow/nodes/retry';
import { MAX_WORKFLOW_VERSION_BYTES, MAX_WORKFLOW_VERSIONS } from '../../server/platform/quotas/versions';
import {
  MAX_WORKFLOW_BYTES,
  MAX_WORKFLOW_CONNECTIONS,
  MAX_WORKFLOW_DEPTH,
  MAX_WORKFLOW_NODES,
} from '../../server/workflow/definition/definition';
import { writeBytes, writeCount, SETTING, writeTime, nameVariable, type Subject } from './limit';

const REFUSED = '400 `VALIDATION_ERROR`';
const KEY = 'k'.repeat(32);
const defaults = readServiceEnv({
  JWT_SECRET: KEY,
  ENCRYPTION_KEY: KEY.toUpperCase(),
  MFA_SECRET_KEY: KEY.replaceAll('k', 'm'),
});

/** The upper bound of a number. */
function readMaximum(schema: z.ZodType): number {
  const { maximum } = z.toJSONSchema(schema, { io: 'input' });
  if (maximum === undefined) throw new Error('The number has no upper bound.');
  return maximum;
}

export const WORKFLOWS: Subject = [
  'Workflows',
  [
    { limit: 'nodes', value: writeCount(MAX_WORKFLOW_NODES), beyond: REFUSED },
    { limit: 'connections', value: writeCount(MAX_WORKFLOW_CONNECTIONS), beyond: REFUSED },
    {
      limit: 'definition',
      value: `${writeBytes(MAX_WORKFLOW_BYTES)}, ${writeCount(MAX_WORKFLOW_DEPTH)} levels`,
      beyond: REFUSED,
    },
    {
      limit: 'notes; groups',
      value: `${writeCount(MAX_CANVAS_NOTES)}; ${writeCount(MAX_NODE_GROUPS)}`,
      beyond: REFUSED,
    },
    {
      limit: 'versions',
      value: `${writeCount(MAX_WORKFLOW_VERSIONS)}, or ${writeBytes(MAX_WORKFLOW_VERSION_BYTES)} of definitions as stored`,
      beyond:
        '403 `FORBIDDEN`, until `DELETE /api/workflows/{id}/versions` removes those that were never published, named or run',
    },
    {
      limit: 'pinned output; all of a workflow',
      value: `${writeBytes(MAX_PINNED_CHARACTERS)}; ${writeBytes(MAX_PINNED_TOTAL_CHARACTERS)}`,
      beyond: REFUSED,
    },
    { limit: 'folders inside each other', value: writeCount(MAX_FOLDER_DEPTH), beyond: REFUSED },
    {
      limit: 'project in git',
      value: `${writeCount(MAX_PROJECT_WORKFLOWS)} workflows, ${writeBytes(MAX_PROJECT_BYTES)} of JSON`,
      beyond: REFUSED,
    },
    { limit: 'input schema', value: `${writeCount(MAX_SCHEMA_CHARACTERS)} characters`, beyond: REFUSED },
    {
      limit: 'file of n8n',
      value: `${writeBytes(MAX_N8N_TEXT)}, ${writeCount(MAX_N8N_NODES)} nodes, ${writeCount(MAX_N8N_LINKS)} connections, ${writeCount(MAX_N8N_EXPRESSIONS)} expressions`,
      beyond: 'the file is refused with a message',
    },
    {
      limit: 'proposals of *Build with AI* under way, of a workspace in a process',
      value: writeCount(MAX_CONCURRENT_PROPOSALS),
      beyond: '429 `RATE_LIMITED`',
    },
    {
      limit: 'one proposal',
      value: `${writeCount(MAX_BUILDER_REPLIES)} answers, ${writeCount(MAX_BUILDER_TOKENS)} tokens`,
      beyond: 'the proposal ends with what it has',
    },
    {
      limit: 'names that one proposal looks up in services',
      value: `${writeCount(MAX_CHOICE_QUESTIONS)} pages of lists, ${writeCount(MAX_LOOKED_UP_CHOICES)} choices of one list`,
      beyond: 'further names are left to the person, with that reason',
    },
  ],
];

export const RUNS: Subject = [
  'Runs',
  [
    {
      limit: 'output of a node',
      value: `${writeBytes(MAX_OUTPUT_BYTES)} of JSON, ${writeCount(MAX_VALUE_DEPTH)} levels`,
      beyond: '`OUTPUT_TOO_LARGE`, `OUTPUT_TOO_DEEP`',
    },
    { limit: 'files that one value names', value: writeCount(MAX_FILES_PER_VALUE), beyond: '`TOO_MANY_FILES`' },
    { limit: 'nodes of a run at a time', value: writeCount(MAX_PARALLEL_NODES), beyond: 'they take turns' },
    {
      limit: 'runs of a process at a time',
      value: writeCount(defaults.workerConcurrency),
      by: nameVariable('WORKER_CONCURRENCY'),
      beyond: 'they wait in the queue',
    },
    {
      limit: 'time of a node',
      value: writeTime(readMaximum(WorkflowNode.shape.timeoutMs)),
      by: SETTING,
      beyond: '`TIMEOUT`',
    },
    {
      limit: 'attempts of a node',
      value: writeCount(readMaximum(RetryPolicy.shape.maxAttempts)),
      by: SETTING,
      beyond: 'the node fails',
    },
    {
      limit: 'pause between attempts',
      value: writeTime(MAX_RETRY_BACKOFF_MS),
      by: SETTING,
      beyond: 'it grows no further',
    },
    { limit: 'rounds of `for_each`', value: writeCount(MAX_LOOP_ITEMS), beyond: '`TOO_MANY_ITEMS`' },
    { limit: 'rounds of `repeat`', value: writeCount(MAX_REPEAT_ROUNDS), by: SETTING, beyond: '`MAX_ROUNDS`' },
    { limit: 'sub-workflows inside each other', value: writeCount(MAX_RUN_DEPTH), beyond: '`TOO_DEEP`' },
    { limit: 'runs that descend from one run', value: writeCount(MAX_DESCENDANTS), beyond: '`TOO_MANY_RUNS`' },
    { limit: 'log lines of a node', value: writeCount(MAX_NODE_LOG_LINES), beyond: 'further lines are dropped' },
    {
      limit: 'body and headers of an answer of `respond`',
      value: `${writeBytes(MAX_RESPONSE_BODY_BYTES)}; ${writeCount(MAX_RESPONSE_HEADERS)}`,
      beyond: `\`OUTPUT_TOO_LARGE\`; ${REFUSED}`,
    },
    { limit: 'tries of a run whose process dies', value: writeCount(MAX_RUN_CRASHES), beyond: '`CRASHED`' },
    { limit: 'items of one answer of a poll', value: writeCount(MAX_POLLED_ITEMS), beyond: '`TOO_MANY_ITEMS`' },
    {
      limit: 'keys that a poll remembers',
      value: writeCount(MAX_REMEMBERED_KEYS),
      beyond: 'the keys that were not returned for longest are forgotten',
    },
  ],
];

export const EXPRESSIONS: Subject = [
  'Expressions and code',
  [
    {
      limit: 'nodes of one preview; body; outputs together; time',
      value: `${writeCount(MAX_PREVIEWED_NODES)}; ${writeBytes(MAX_PREVIEW_BODY_BYTES)}; ${writeCount(MAX_PREVIEW_OUTPUT)} characters; ${writeTime(MAX_PREVIEW_MS)}`,
      beyond: `${REFUSED}; beyond outputs and time the rest has no preview`,
    },
    { limit: 'length of an expression', value: `${writeCount(MAX_EXPRESSION_LENGTH)} characters`, beyond: REFUSED },
    {
      limit: 'names that an expression in JavaScript declares',
      value: writeCount(MAX_DECLARED_NAMES),
      beyond: REFUSED,
    },
    {
      limit: 'processor time of an expression, template or schema check',
      value: writeTime(defaults.evaluationCpuMs),
      by: nameVariable('EVALUATION_CPU_MS'),
      beyond: '`EVALUATION_TIMEOUT`',
    },
    {
      limit: 'its memory, on top of its data',
      value: `${writeCount(defaults.evaluationMemoryMb)} MiB`,
      by: nameVariable('EVALUATION_MEMORY_MB'),
      beyond: '`EVALUATION_MEMORY`',
    },
    {
      limit: 'calls inside each other, in an expression',
      value: writeCount(EXPRESSION_SIZE_LIMITS.depth),
      beyond: '`EXPRESSION`',
    },
    {
      limit: 'items of a list; text, in an expression',
      value: `${writeCount(EXPRESSION_SIZE_LIMITS.items)}; ${writeCount(EXPRESSION_SIZE_LIMITS.characters)} characters`,
      beyond: '`EVALUATION_MEMORY`',
    },
    {
      limit: 'regular expression',
      value: `${writeCount(MAX_PATTERN_LENGTH)} characters, repetitions up to ${writeCount(MAX_PATTERN_REPEAT)}`,
      beyond: REFUSED,
    },
    {
      limit: 'processor time of a code node',
      value: writeTime(MAX_CODE_CPU_MS),
      by: SETTING,
      beyond: '`CODE_TIMEOUT`',
    },
    { limit: 'its memory, on top of its data', value: writeBytes(CODE_MEMORY_BYTES), beyond: '`CODE_MEMORY`' },
    {
      limit: 'its output',
      value: `${writeBytes(MAX_CODE_OUTPUT)}; ${writeCount(MAX_LOG_LINES)} log lines of ${writeCount(MAX_LOG_LINE_LENGTH)} characters`,
      beyond: 'the node fails; further lines are dropped',
    },
    {
      limit: 'evaluations of a workspace that wait',
      value: writeCount(MAX_WAITING_EVALUATIONS),
      beyond: '`EVALUATION_BUSY`, which may be retried',
    },
    {
      limit: 'processor time of a conversion',
      value: writeTime(defaults.evaluationCpuMs * CONVERSION_CPU_FACTOR),
      by: nameVariable('EVALUATION_CPU_MS'),
      beyond: '`CONVERT_TIMEOUT`',
    },
    {
      limit: 'source of a conversion, and what it expands to',
      value: `${writeBytes(MAX_CONVERTED_BYTES)}; ${writeCount(MAX_EXPANSION_RATIO)} times its size`,
      beyond: '`TOO_LARGE`, `EXPANSION_LIMIT`',
    },
    {
      limit: 'memory of a conversion, besides its objects',
      value: writeBytes(MEMORY_OUTSIDE_HEAP_BYTES),
      beyond: '`CONVERT_MEMORY`',
    },
    { limit: 'files of an archive', value: writeCount(MAX_ARCHIVE_ENTRIES), beyond: '`TOO_MANY_FILES`' },
  ],
];

export const CREDENTIALS: Subject = [
  'Credentials',
  [
    {
      limit: 'headers or query parameters of a custom credential',
      value: `${writeCount(MAX_SECRET_ENTRIES)}, ${writeCount(MAX_SECRET_CHARACTERS)} characters together`,
      beyond: REFUSED,
    },
    {
      limit: 'secrets of all credentials that a run may use',
      value: `${writeCount(MAX_SECRET_CHARACTERS)} characters`,
      beyond: '`TOO_MANY_SECRETS`',
    },
  ],
];
