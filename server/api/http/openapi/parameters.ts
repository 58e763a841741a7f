import type { z } from 'zod';
import { querySchema, type OperationRecord } from '@/server/api/operation/operation';
import { jsonReplyIn } from '@/server/api/operation/operation-parts';
import type { OperationSchemas, OpenApiSchema } from './schemas';

/** Where a reference finds a schema. */
const REF = '#/components/schemas/';

const PARAMETERS = {
  workspace: {
    name: 'X-Workspace-Id',
    in: 'header',
    description: "The workspace of the call; by default the token's own.",
    schema: { type: 'string' },
  },
  once: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'A repetition with the same key and body returns the first successful answer and has no further effect (idempotency).',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
  ifMatch: {
    name: 'If-Match',
    in: 'header',
    description:
      'The ETag of the version that the request changes (optimistic concurrency); if there is a newer one, the answer is 409.',
    schema: { type: 'string' },
  },
  wait: {
    name: 'Prefer',
    in: 'header',
    description: '`wait=<seconds>`, 1 to 60 (RFC 7240): answer when the run has ended, if it does in time.',
    schema: { type: 'string' },
    example: 'wait=10',
  },
  delivery: {
    name: 'X-Service-Delivery',
    in: 'header',
    description:
      "The sender's own id of the delivery; a repetition within 24 hours gets the first run's id and starts nothing.",
    schema: { type: 'string', minLength: 1, maxLength: 200 },
  },
  signature: {
    name: 'X-Service-Signature',
    in: 'header',
    description:
      '`sha256=` and the hexadecimal HMAC-SHA256 of the raw body. Required, unless the webhook verifies its senders in another way.',
    schema: { type: 'string' },
  },
};

/** Everything that a call of the operation takes besides its body. `query`: the schema of the query. */
export const describeParameters = (
  operation: OperationRecord,
  query: OpenApiSchema | undefined,
  components: OperationSchemas['components'],
): object[] => [
  ...pathParameters(operation),
  ...queryParameters(query, querySchema(operation), components),
  ...headersOf(operation),
];

/** What the path parameters are, where the path alone does not say it; `id` is of the object before it. */
const IN_PATH: Record<string, string> = {
  workflowId: 'Id of the workflow',
  version: 'Number of the version',
  nodeId: 'Id of the node in the definition',
  token: 'Token from the address that the run gave out',
  path: 'Path of the webhook, form or chat, as chosen in the workflow',
  name: 'Name of the variable',
  domain: 'Domain of email addresses',
};

const pathParameters = ({ path }: OperationRecord) =>
  [...path.matchAll(/([\w-]*)\}?\/\{(\w+)(?:\.\.\.)?\}/g)].map(([, collection = '', name = '']) => ({
    name,
    in: 'path',
    required: true,
    description: IN_PATH[name] ?? `Id of the object in \`${collection}\``,
    schema: { type: 'string' },
  }));

function queryParameters(
  schema: OpenApiSchema | undefined,
  query: z.ZodObject | undefined,
  components: OperationSchemas['components'],
) {
  const properties = (schema?.properties ?? {}) as Record<string, OpenApiSchema>;
  const required = (schema?.required ?? []) as string[];
  // The conversion drops the default of a field that is parsed from text.
  const presetOf = (name: string) => (query?.shape[name] as z.ZodType | undefined)?.meta()?.['default'];
  return Object.entries(properties).map(([name, { description, ...rest }]) => {
    const { allOf: [reference] = [], $ref = '' } = rest as { allOf?: [OpenApiSchema]; $ref?: string };
    const sentence = description ?? components[$ref.slice(REF.length)]?.['description'];
    const preset = presetOf(name);
    return {
      name,
      in: 'query',
      ...(sentence ? { description: sentence } : {}),
      ...(required.includes(name) ? { required: true } : {}),
      // The description stands beside the schema: a reference need not be wrapped.
      schema: reference ?? (preset === undefined ? rest : { ...rest, default: preset }),
    };
  });
}

function headersOf(operation: OperationRecord) {
  const { access, method } = operation;
  if (access.kind === 'webhook') return [PARAMETERS.signature, PARAMETERS.delivery];
  if (access.kind === 'public') return [];
  const { headers, prefersWait } = jsonReplyIn(operation) ?? {};
  return [
    ...(access.kind === 'member' && !access.workspaceParam ? [PARAMETERS.workspace] : []),
    ...(method === 'POST' || method === 'PUT' ? [PARAMETERS.once] : []),
    ...(method === 'PUT' && headers ? [PARAMETERS.ifMatch] : []),
    ...(prefersWait ? [PARAMETERS.wait] : []),
  ];
}
