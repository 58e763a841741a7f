import type { NodeTypeDescription } from '@/contract/workflows/node-type';
import type { WorkflowNode } from '@/contract/workflows/workflow';
import { outputList } from '@/components/canvas/run/item-count';
import { exampleValueAt } from '@/components/forms/rules/model/pickable-fields';
import { findInputLists } from '@/components/forms/rules/model/input-lists';
import type { PreviewData } from '@/components/forms/preview-context';
import type { ExpressionLanguage } from '@/contract/workflows/expression-language';

export type NodeEachFields = NonNullable<WorkflowNode['each']>;

/** How a node would run for each item of the list that it gets. */
export interface EachProposal {
  each: NodeEachFields;
  /** The number of items; undefined: the node before has not run. */
  count: number | undefined;
  /** What arrives is a list, not one object with a list in it. */
  isListAtWire: boolean;
}

/** Node types that do one thing and are no actions by their category: they write to a table, or call a workflow. */
const ACTING_TYPES = new Set(['table', 'sub_workflow']);

/** Whether a new node behind a list acts for each item unless somebody says otherwise: it sends, writes or calls. */
export const actsForEachItem = ({ type, category, takesEach }: NodeTypeDescription): boolean =>
  takesEach === true && (category === 'action' || ACTING_TYPES.has(type)) && type !== 'read_email';

/** List nodes have a field for their list. */
const hasListField = ({ configSchema: { properties = {} } }: NodeTypeDescription): boolean =>
  Object.values(properties as Record<string, { 'x-editor'?: string }>).some((field) => field['x-editor'] === 'list');

/** Whether nodes of a type can be told to run for each item. */
export const offersEach = (kind: NodeTypeDescription | undefined): kind is NodeTypeDescription =>
  kind?.takesEach === true && !hasListField(kind);

/** How a node would run for each item. Undefined: no list arrives, or it is not clear which one is meant. */
export function proposeEach(
  { scope, inputFrom = [], expected }: PreviewData,
  language: ExpressionLanguage,
): EachProposal | undefined {
  const isKnown = !expected?.has('input');
  const { input } = scope;
  if (inputFrom.length > 1) {
    const lists = typeof input === 'object' && input !== null ? Object.values(input) : [];
    if (lists.length < inputFrom.length || !lists.every(Array.isArray)) return undefined;
    return { each: {}, count: isKnown ? lists.flat().length : undefined, isListAtWire: true };
  }
  const paths = findInputLists(input, language);
  const atWire = outputList(input);
  const path = atWire
    ? paths.find((one) => exampleValueAt({ input }, one, language) === atWire)
    : paths.length === 1
      ? paths[0]
      : undefined;
  const list = path === undefined ? undefined : exampleValueAt({ input }, path, language);
  if (path === undefined || !Array.isArray(list)) return undefined;
  const each = path === 'input' ? {} : { items: path };
  return { each, count: isKnown ? list.length : undefined, isListAtWire: atWire !== undefined };
}
