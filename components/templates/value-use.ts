import type { WorkflowTemplate } from '@/contract/workflows/template';
import { wholePlaceholderId } from '@/contract/workflows/template-placeholder';
import { TEMPLATE_POLL_NODE_PATH } from '@/contract/workflows/template-purposes';
import { loopBody } from './set-up';

interface TemplateNode {
  path: string;
  type: string;
  config: Readonly<Record<string, unknown>>;
}

/** The field of a node that a value of a template fills in, all by itself. */
export interface TemplateValueUse {
  nodeType: string;
  /** The parameters of an operation of this connector have the field. Absent: the config of the node has it. */
  connectorId?: string;
  operation?: string;
  field: string;
  /** The other fields, as the template has them: a text such as `[[sheet]]` stands for another value. */
  siblings: Readonly<Record<string, unknown>>;
  /** The need whose credential the node uses. */
  credentialNeedId: string | undefined;
}

const isFields = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function listTemplateNodes({ definition, triggers }: WorkflowTemplate): TemplateNode[] {
  const listAt = (nodes: WorkflowTemplate['definition']['nodes'], prefix: string): TemplateNode[] =>
    nodes.flatMap((node) => [
      { path: prefix + node.id, type: node.type, config: node.config },
      ...listAt(loopBody(node)?.nodes ?? [], `${prefix}${node.id}.`),
    ]);
  const polls = triggers.flatMap((trigger) =>
    trigger.kind === 'poll' ? [{ ...trigger.settings.node, path: TEMPLATE_POLL_NODE_PATH }] : [],
  );
  return [...listAt(definition.nodes, ''), ...polls];
}

/** The first field that a value fills in by itself. Undefined: it is only a part of texts. */
export function findTemplateValueUse(template: WorkflowTemplate, valueId: string): TemplateValueUse | undefined {
  for (const { path, type, config } of listTemplateNodes(template)) {
    const { connectorId, operation, parameters } = config;
    const isCall = type === 'connector' && typeof connectorId === 'string' && typeof operation === 'string';
    const siblings = isCall ? (isFields(parameters) ? parameters : {}) : config;
    const [field] = Object.entries(siblings).find(([, value]) => value === `[[${valueId}]]`) ?? [];
    if (field === undefined) continue;
    const credentialNeedId = template.credentials.find(({ nodes }) => nodes.includes(path))?.id;
    return { nodeType: type, ...(isCall && { connectorId, operation }), field, siblings, credentialNeedId };
  }
  return undefined;
}

/** Fields with the values that were filled in; those that are not yet are left out. */
export const fillSiblings = (
  siblings: TemplateValueUse['siblings'],
  values: Readonly<Record<string, string>>,
): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(siblings).flatMap(([name, value]): [string, unknown][] => {
      const placeholder = wholePlaceholderId(value);
      if (placeholder === undefined) return [[name, value]];
      const filled = values[placeholder] ?? '';
      return filled === '' ? [] : [[name, filled]];
    }),
  );
