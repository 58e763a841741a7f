import { notifications } from '@mantine/notifications';
import { definitionLanguage, type ExpressionLanguage } from '@/contract/workflows/expression-language';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import type { NodeTypesByName } from '@/components/graph/cards-and-edges';
import { EXPRESSION_LANGUAGE_LABELS } from '@/components/ui/values/expression-language';
import type { RefusedField } from '@/import/languages/convert-definition';

const MAX_NAMED_FIELDS = 5;

const describeRefusal = (refused: readonly RefusedField[]): string => {
  const named = refused
    .slice(0, MAX_NAMED_FIELDS)
    .map(({ nodeId, field, reason }) => `${nodeId}, ${field.replace(/^config\./, '')}: ${reason}`);
  return refused.length > named.length
    ? [...named, `and ${refused.length - named.length} more`].join('; ')
    : named.join('; ');
};

/**
 * Nodes from elsewhere, with their expressions in the language of this workflow. What is not proven equal gets a mark.
 * Undefined: some can’t be converted; a message lists them.
 */
export async function adaptLanguage(
  copied: WorkflowDefinition,
  to: ExpressionLanguage,
  catalogue: NodeTypesByName,
): Promise<WorkflowDefinition | undefined> {
  const from = definitionLanguage(copied);
  if (from === to) return copied;
  const { convertDefinition, markUnreviewed } = await import('@/import/languages/convert-definition');
  const { definition, converted, refused } = convertDefinition(copied, to, (type) => catalogue.get(type)?.configSchema);
  if (refused.length > 0) {
    notifications.show({
      color: 'madder',
      title: `Not pasted: not all expressions can be converted from ${EXPRESSION_LANGUAGE_LABELS[from]}`,
      message: describeRefusal(refused),
      autoClose: false,
    });
    return undefined;
  }
  const open = converted.flatMap(({ doubts: [doubt], ...field }) =>
    doubt ? [{ ...field, reason: doubt.reason }] : [],
  );
  if (converted.length > 0)
    notifications.show({
      message: `${converted.length} ${converted.length === 1 ? 'field was' : 'fields were'} converted from ${EXPRESSION_LANGUAGE_LABELS[from]}${open.length > 0 ? `. Look at ${open.length} of them under Checks` : ''}`,
    });
  return markUnreviewed(definition, open, from);
}
