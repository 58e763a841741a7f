import { isLargeJson } from '@/server/evaluation/expressions/large-json';
import type { ObjectReference } from '@/server/people/access/references';
import { createNodeFailure, NodeFailure } from '@/server/platform/errors/node-failure';
import { toFieldErrors } from '@/server/platform/errors/zod-issues';
import type { NodeTypeDefinition } from '@/server/workflow/nodes/node-type';
import type { AttemptDetails, RenderedConfig } from './context';

/** Caches by config the fields that a node evaluates itself; its parts evaluate the others. */
const ownConfigCache = new WeakMap<RenderedConfig, RenderedConfig>();

export function omitDeferredFields(kind: NodeTypeDefinition, config: RenderedConfig): RenderedConfig {
  let own = ownConfigCache.get(config);
  if (!own) {
    own = Object.fromEntries(Object.entries(config).filter(([field]) => !kind.deferred?.includes(field)));
    ownConfigCache.set(config, own);
  }
  return own;
}

/** The objects that a node is about to use. */
export function listUsedObjects(
  { table, connectorField }: NodeTypeDefinition,
  config: RenderedConfig,
  credentialId: string | undefined,
): ObjectReference[] {
  const named: ObjectReference[] = [];
  if (table) named.push({ resource: 'table', id: String(config[table.field]), action: table.action(config) });
  if (connectorField) named.push({ resource: 'connector', id: String(config[connectorField]) });
  if (credentialId !== undefined) named.push({ resource: 'credential', id: credentialId });
  return named;
}

/** Validates a rendered config. Throws NodeFailure CONFIG. */
export function parseRenderedConfig(
  attempt: AttemptDetails,
  kind: NodeTypeDefinition,
  rendered: RenderedConfig,
): RenderedConfig {
  attempt.rendered = rendered;
  const large = extractLargeFields(kind, rendered);
  const parsed = kind.config.safeParse(large ? omitConfigFields(rendered, large) : rendered);
  if (!parsed.success) {
    const issues = toFieldErrors(parsed.error, ['config']);
    const field = issues[0]?.field ?? 'config';
    const sentences = issues.map((issue) => `${issue.field}: ${issue.message}`).join('; ');
    throw createNodeFailure('CONFIG', { field, problem: sentences.slice(`${field}: `.length) });
  }
  const config = large ? { ...parsed.data, ...large } : parsed.data;
  const missing = kind.required.filter(
    (field) => !kind.deferred?.includes(field) && (config[field] === undefined || config[field] === null),
  );
  if (missing.length > 0) throw new NodeFailure('CONFIG', `Missing: config.${missing.join(', config.')}.`, false);
  return config;
}

/** Large values of fields that accept any value, which skip the schema. Large values of other fields are parsed. */
function extractLargeFields(kind: NodeTypeDefinition, rendered: RenderedConfig): RenderedConfig | undefined {
  let large: RenderedConfig | undefined;
  for (const field of Object.keys(rendered)) {
    const value = rendered[field];
    if (!isLargeJson(value)) continue;
    if (kind.largeFields?.includes(field)) (large ??= {})[field] = value;
    else rendered[field] = JSON.parse(value.text);
  }
  return large;
}

const omitConfigFields = (config: RenderedConfig, fields: RenderedConfig): RenderedConfig =>
  Object.fromEntries(Object.entries(config).filter(([name]) => !(name in fields)));
