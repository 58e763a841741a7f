import { Anchor, Text } from '@mantine/core';
import { use, useEffect, useRef, useState } from 'react';
import { formatItemCount } from '@/components/ui/values/item-count-text';
import { parseExpressionPath } from '@/components/ui/values/expression-path';
import { printJsonataPath } from '@/components/ui/values/jsonata-path';
import type { FieldControlProps } from '../model/field-props';
import { schemaLabel } from '../model/field-schema';
import { PreviewDataContext, type PreviewData } from '../preview-context';
import { exampleValueAt } from './model/pickable-fields';
import { findInputLists } from './model/input-lists';
import { PickedPathField } from './PickedPathField';
import classes from './Rules.module.css';
import { useExpressionLanguage } from '@/components/ui/values/expression-language';
import type { ExpressionLanguage } from '@/contract/workflows/expression-language';

/**
 * The list that a node works on. It is the list that arrives, or the only one in what arrives, which a sentence says;
 * any other is picked or
 * written.
 */
export function ListSourceField(props: FieldControlProps) {
  const { name, schema, value, errors, path, onChange } = props;
  const preview = use(PreviewDataContext);
  const [isChanging, setChanging] = useState(false);
  const language = useExpressionLanguage();
  const lists = preview ? findInputLists(preview.scope.input, language) : [];
  const own = listOfPosition(lists, schema['x-list-position']);
  useFirstValue(value, own, onChange);
  const sentence = !isChanging && !errors.has(path) && preview ? listSentence(value, preview, language) : undefined;
  if (sentence === undefined)
    return (
      <PickedPathField {...props} hint={value === undefined && preview ? missingListHint(lists, preview) : undefined} />
    );
  const label = schemaLabel(name, schema);
  return (
    <div role="group" aria-label={label}>
      <Text size="sm" fw={500}>
        {label}
      </Text>
      <Text size="sm" className={classes.sentence}>
        {sentence}{' '}
        <Anchor
          component="button"
          type="button"
          size="sm"
          aria-label={`Change ${label}`}
          onClick={() => setChanging(true)}
        >
          Change
        </Anchor>
      </Text>
    </div>
  );
}

/** The list that a field takes by itself: the only one, or of two lists the one at the position of the field. */
function listOfPosition(lists: readonly string[], position: number | undefined): string | undefined {
  if (position !== undefined) return lists.length === 2 ? lists[position] : undefined;
  return lists.length === 1 ? lists[0] : undefined;
}

/** Two fields of a form that are filled at once overwrite each other: the first is filled again. */
const MAX_FILLINGS = 3;

/** Fills an empty field when its value becomes known. Once it had a value it stays as it is: undo leaves it empty. */
function useFirstValue(value: unknown, first: string | undefined, fill: (value: string) => void): void {
  const left = useRef(MAX_FILLINGS);
  useEffect(() => {
    if (value !== undefined) left.current = 0;
    else if (first !== undefined && left.current > 0) {
      left.current -= 1;
      fill(first);
    }
  });
}

/** Says what list a path leads to. Undefined: the value is no path, or no list is known there. */
function listSentence(
  value: unknown,
  { scope, names = {}, inputFrom = [], expected, notes }: PreviewData,
  language: ExpressionLanguage,
): string | undefined {
  if (typeof value !== 'string') return undefined;
  const [root, ...rest] = parseExpressionPath(value, language) ?? [];
  const list = root === undefined ? undefined : exampleValueAt({ ...scope }, value, language);
  if (!Array.isArray(list)) return undefined;
  const [id] = rest;
  const isNode = root === 'nodes' && typeof id === 'string';
  if (root !== 'input' && !isNode) return undefined;
  const source = isNode ? (names[id] ?? id) : inputFrom.join(' and ');
  const inner = printJsonataPath(isNode ? rest.slice(1) : rest);
  const at = isNode ? `nodes.${id}` : 'input';
  const from = `${source ? ` from “${source}”` : ' of the input'}${inner ? `, in ${inner}` : ''}`;
  if (expected?.has(at))
    return `Works on the list${from}. That node has not run yet: its fields are known, its items are not.`;
  const note = notes?.[at];
  return `Works on ${formatItemCount(list.length)}${from}${note ? `, and ${note}` : ''}.`;
}

/** Why a field is empty, and what fills it. */
function missingListHint(lists: readonly string[], { scope, inputFrom = [] }: PreviewData): string {
  if (lists.length > 1) return `What arrives has ${lists.length} lists. Pick one.`;
  if (inputFrom.length === 0) return 'Connect this node first, or pick a list.';
  const source = inputFrom.map((title) => `“${title}”`).join(' and ');
  return scope.input === undefined
    ? `What ${source} gives is not known yet. Run the workflow once, and its list is taken.`
    : `What ${source} gives has no list. A single value counts as a list of one.`;
}
