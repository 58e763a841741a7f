import type { ExpressionLanguage } from '@/contract/workflows/expression-language';
import type { TemplateTrigger } from '@/contract/workflows/template';
import { convertDefinition, type FindConfigSchema } from '@/import/languages/convert-definition';
import { convertFieldText } from '@/import/languages/convert-text';
import type { PreparedWorkflow } from './set-up';

/** A text of a template in the language. A test converts all templates, so a refusal is a fault of the template. */
function convertExpression(text: string, to: ExpressionLanguage): string {
  const found = convertFieldText(text, true, to);
  if ('reason' in found) throw new Error(`“${text}” can’t be converted: ${found.reason}`);
  return found.text;
}

function convertTrigger(
  trigger: TemplateTrigger,
  to: ExpressionLanguage,
  findSchema: FindConfigSchema,
): TemplateTrigger {
  if (trigger.kind !== 'poll') return trigger;
  const { items, key, cursor, node } = trigger.settings;
  const asNode = { id: 'poll', type: node.type, config: node.config, position: { x: 0, y: 0 } };
  const { definition } = convertDefinition({ nodes: [asNode], connections: [] }, to, findSchema);
  return {
    ...trigger,
    settings: {
      ...trigger.settings,
      items: convertExpression(items, to),
      key: convertExpression(key, to),
      ...(cursor ? { cursor: convertExpression(cursor, to) } : {}),
      node: { ...node, config: definition.nodes[0]?.config ?? node.config },
      language: to,
    },
  };
}

/** A template that is set up, in the language of the workspace. Throws if one of its texts can’t be converted. */
export function convertPreparedTemplate(
  { definition, triggers }: PreparedWorkflow,
  to: ExpressionLanguage,
  findSchema: FindConfigSchema,
): PreparedWorkflow {
  const found = convertDefinition(definition, to, findSchema);
  const [refused] = found.refused;
  if (refused) throw new Error(`“${refused.source}” can’t be converted: ${refused.reason}`);
  return { definition: found.definition, triggers: triggers.map((trigger) => convertTrigger(trigger, to, findSchema)) };
}
