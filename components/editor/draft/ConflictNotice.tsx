import { Anchor, Button, Group, Paper, ScrollArea, Stack, Text } from '@mantine/core';
import { Panel } from '@xyflow/react';
import { useState } from 'react';
import type { WorkflowDefinition, WorkflowDraft, WorkflowNode } from '@/contract/workflows/workflow';
import { definitionAtPath } from '@/components/graph/body';
import type { NodeTypesByName } from '@/components/graph/cards-and-edges';
import { nodeTitle } from '@/components/graph/summary';
import type { FieldSchema } from '@/components/forms/model/field-schema';
import { nodeFieldLabel } from '../checks/locate-issue';
import { draftContent, useDraft } from './draft';
import { mergeDrafts, type ConflictSide, type MergeConflict } from './merge-definitions';

interface Props {
  /** The version that someone else saved. */
  theirs: WorkflowDraft;
  catalogue: NodeTypesByName;
  onResolve(choices: ReadonlyMap<string, ConflictSide>): void;
  /** Shows a node, also inside loops. */
  onShow(path: readonly string[], nodeId: string): void;
}

/** Asks over the canvas which value stays, for each field that two people changed. All other changes are merged. */
export function ConflictNotice({ theirs, catalogue, onResolve, onShow }: Props) {
  const saved = useDraft((draft) => draft.saved);
  const name = useDraft((draft) => draft.name);
  const definition = useDraft((draft) => draft.definition);
  const [choices, setChoices] = useState<ReadonlyMap<string, ConflictSide>>(new Map());
  const mine = draftContent({ saved, name, definition });
  const open = mergeDrafts(saved, mine, theirs).conflicts.filter(({ key }) => !choices.has(key));
  const decide = (keys: readonly string[], side: ConflictSide) => {
    const decided = new Map([...choices, ...keys.map((key) => [key, side] as const)]);
    setChoices(decided);
    if (open.every(({ key }) => decided.has(key))) onResolve(decided);
  };
  return (
    <Panel position="bottom-center">
      <Paper
        withBorder
        shadow="md"
        p="sm"
        w="min(560px, calc(100vw - 32px))"
        component="section"
        aria-label="To decide"
      >
        <Stack gap="sm">
          <Text size="sm" role="status">
            Someone else saved changes of the same {open.length === 1 ? 'field' : `${open.length} fields`}. Everything
            else is merged.
          </Text>
          <ScrollArea.Autosize mah={260} type="auto">
            <Stack gap="sm">
              {open.map((conflict) => (
                <ConflictQuestion
                  key={conflict.key}
                  title={<ConflictTitle conflict={conflict} {...{ definition, theirs, catalogue, onShow }} />}
                  conflict={conflict}
                  onDecide={(side) => decide([conflict.key], side)}
                />
              ))}
            </Stack>
          </ScrollArea.Autosize>
          {open.length > 1 && (
            <Group gap="xs" justify="flex-end">
              {(['mine', 'theirs'] as const).map((side) => (
                <Button
                  key={side}
                  size="compact-sm"
                  variant="default"
                  onClick={() =>
                    decide(
                      open.map(({ key }) => key),
                      side,
                    )
                  }
                >
                  {side === 'mine' ? 'Keep all of mine' : 'Take all of theirs'}
                </Button>
              ))}
            </Group>
          )}
        </Stack>
      </Paper>
    </Panel>
  );
}

interface ConflictTitleProps extends Pick<Props, 'theirs' | 'catalogue' | 'onShow'> {
  conflict: MergeConflict;
  definition: WorkflowDefinition;
}

function ConflictTitle({ conflict, definition, theirs, catalogue, onShow }: ConflictTitleProps) {
  if (conflict.kind === 'language') return <>The language of expressions</>;
  const path = conflict.nodePath.slice(0, -1);
  const nodeId = conflict.nodePath.at(-1);
  if (nodeId === undefined) return <>Name of the workflow</>;
  const find = (within: WorkflowDefinition) => definitionAtPath(within, path).nodes.find(({ id }) => id === nodeId);
  const node: WorkflowNode | undefined = find(definition) ?? find(theirs.definition);
  if (!node) return <>A node</>;
  const type = catalogue.get(node.type);
  return (
    <>
      {conflict.kind === 'field' && (
        <>{nodeFieldLabel((type?.configSchema ?? {}) as FieldSchema, conflict.field)} of </>
      )}
      <Anchor component="button" inherit onClick={() => onShow(path, nodeId)}>
        {nodeTitle(node, type)}
      </Anchor>
    </>
  );
}

const MAX_SHOWN_VALUE_LENGTH = 400;

function shortValueText(conflict: MergeConflict, value: unknown): string {
  if (conflict.kind === 'language') return value === conflict.mine ? 'What is on the canvas' : 'What was saved';
  if (value === undefined) return conflict.kind === 'node' ? 'Removed' : 'Empty';
  if (conflict.kind === 'node') return 'Kept, with changes';
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 1);
  return text.length > MAX_SHOWN_VALUE_LENGTH ? `${text.slice(0, MAX_SHOWN_VALUE_LENGTH)} …` : text;
}

function ConflictQuestion({
  title,
  conflict,
  onDecide,
}: {
  title: React.ReactNode;
  conflict: MergeConflict;
  onDecide(side: ConflictSide): void;
}) {
  return (
    <Stack gap={6} role="group" aria-label="Changed by both">
      <Text size="sm" fw={600} component="div">
        {title}
      </Text>
      {(['mine', 'theirs'] as const).map((side) => (
        <Group key={side} gap="sm" wrap="nowrap" align="flex-start" justify="space-between">
          <Text size="sm" ff="monospace" lineClamp={3} style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
            {shortValueText(conflict, conflict[side])}
          </Text>
          <Button size="compact-sm" variant="default" flex="none" onClick={() => onDecide(side)}>
            {side === 'mine' ? 'Keep mine' : 'Take theirs'}
          </Button>
        </Group>
      ))}
    </Stack>
  );
}
