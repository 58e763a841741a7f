import { Button, Collapse, Paper, Switch, Text } from '@mantine/core';
import { IconAdjustments } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import type { NodeTypeDescription } from '@/contract/workflows/node-type';
import type { WorkflowNode } from '@/contract/workflows/workflow';
import type { PreviewData } from '@/components/forms/preview-context';
import { formatItemCount } from '@/components/ui/values/item-count-text';
import { useDraft, useDraftStore } from '../../draft/draft';
import { actsForEachItem, offersEach, proposeEach, type EachProposal, type NodeEachFields } from './each-proposal';
import { ForEachOptions } from './ForEachOptions';
import { useExpressionLanguage } from '@/components/ui/values/expression-language';

interface Props {
  node: WorkflowNode;
  kind: NodeTypeDescription | undefined;
  /** The data that arrives at the node, before it is divided into items. */
  arriving: PreviewData;
  errors: ReadonlyMap<string, string>;
  /** Among the settings the switch is shown where the head of the panel lacks it: no list is known yet. */
  isSetting?: boolean;
  onChange(part: Partial<WorkflowNode>, field: string): void;
}

/**
 * Whether the node runs once for each item of the list that it gets. Shown where there is a list, or the node already
 * does.
 */
export function ForEachSwitch({ node, kind, arriving, errors, isSetting = false, onChange }: Props) {
  const [isOpen, setOpen] = useState(false);
  const proposal = proposeEach(arriving, useExpressionLanguage());
  const change = (each: NodeEachFields | undefined) => onChange({ each }, 'each');
  useEachOfNewNode(node, kind, proposal, change);
  const { each } = node;
  const problem = [...errors].find(([field]) => field === 'each' || field.startsWith('each.'))?.[1];
  if (!offersEach(kind) || isSetting === (each !== undefined || proposal !== undefined)) return null;
  return (
    <Paper withBorder p="sm" mb="sm" role="group" aria-label="For each item" data-field="each">
      <Switch
        label="For each item"
        aria-label="For each item"
        description={each ? switchedOnText(each, proposal) : proposalText(proposal)}
        error={isOpen ? undefined : problem}
        checked={each !== undefined}
        onChange={(event) => change(event.currentTarget.checked ? (proposal?.each ?? {}) : undefined)}
      />
      {each && node.disabled && (
        <Text size="xs" c="dimmed" mt={6}>
          The node is disabled: it passes the list on.
        </Text>
      )}
      {each && (
        <>
          <Button
            variant="subtle"
            size="compact-xs"
            mt={6}
            leftSection={<IconAdjustments size={14} aria-hidden />}
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? 'Hide the options' : 'Options'}
          </Button>
          <Collapse expanded={isOpen}>
            {isOpen && <ForEachOptions each={each} kind={kind} arriving={arriving} errors={errors} onChange={change} />}
          </Collapse>
        </>
      )}
    </Paper>
  );
}

function switchedOnText(each: NodeEachFields, proposal: EachProposal | undefined): string {
  const isProposed = each.items === proposal?.each.items;
  const times =
    isProposed && proposal?.count !== undefined
      ? `once for each of ${formatItemCount(proposal.count)}`
      : 'once for each item';
  return `Runs ${times}. In its fields, item and input are the item, and index is its number from 0.`;
}

const proposalText = (proposal: EachProposal | undefined): string =>
  !proposal
    ? 'Runs once for each item of the list that arrives.'
    : proposal.count === undefined
      ? 'A list arrives, and the node runs once for all of it.'
      : `${formatItemCount(proposal.count)} ${proposal.count === 1 ? 'arrives' : 'arrive'}, and the node runs once for all of them.`;

/**
 * A new node that sends, writes or calls runs for each item of the list behind which it was added. Undo takes this
 * back.
 */
function useEachOfNewNode(
  { id, each }: WorkflowNode,
  kind: NodeTypeDescription | undefined,
  proposal: EachProposal | undefined,
  change: (each: NodeEachFields) => void,
): void {
  const store = useDraftStore();
  const isNew = useDraft((draft) => draft.addedId === id);
  const isWanted = isNew && each === undefined && kind !== undefined && actsForEachItem(kind) && offersEach(kind);
  useEffect(() => {
    if (!isNew || (isWanted && !proposal)) return;
    store.set({ addedId: undefined });
    if (isWanted && proposal?.isListAtWire) change(proposal.each);
  });
}
