import type { FieldIssue } from '@/contract/error-response';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import { findInnerDefinition } from '@/server/workflow/nodes/inner-nodes';

const LANGUAGE_NAMES = { jsonata: 'JSONata', javascript: 'JavaScript' };

/** The fields that were converted to another language, were not proven equal, and that nobody has looked at. */
export function unreviewedFieldIssues({ nodes }: WorkflowDefinition, prefix = ''): FieldIssue[] {
  return nodes.flatMap((node, index) => {
    const at = `${prefix}nodes[${index}]`;
    const inner = findInnerDefinition(node);
    const own = (node.unreviewed ?? []).map(({ field, language, source, reason }) => ({
      field: `${at}.${field}`,
      // What was imported as a whole had no text before.
      message:
        source === ''
          ? `was imported, and somebody has to look at it first: ${reason}`
          : `was converted from ${LANGUAGE_NAMES[language]}, and somebody has to look at it first: ${reason}`,
    }));
    return [...own, ...(inner ? unreviewedFieldIssues(inner.definition, `${at}.config.${inner.field}.`) : [])];
  });
}
