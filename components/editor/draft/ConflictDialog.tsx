import { Button, Group, Modal, SegmentedControl, SimpleGrid, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { WorkflowDefinition, WorkflowNode, WorkflowDraft } from '@/contract/workflows/workflow';
import { compareDefinitions } from '@/components/graph/compare';
import type { NodeTypesByName } from '@/components/graph/cards-and-edges';
import { nodeTitle } from '@/components/graph/summary';
import { JsonView } from '@/components/ui/values/JsonView';
import { DefinitionChanges } from '../versions/DefinitionChanges';
import { useDraftStore, type EditorDraft } from './draft';
import { findNodeConflicts, mergeDefinitions, type ConflictSide } from './merge-definitions';

interface Props {
  theirs: WorkflowDraft;
  catalogue: NodeTypesByName;
  onResolve(resolved: Pick<EditorDraft, 'name' | 'definition'>): void;
  onClose(): void;
}

/** Merges the changes of two people who edited the same workflow. */
export function ConflictDialog({ theirs, catalogue, onResolve, onClose }: Props) {
  const { saved, name, definition } = useDraftStore().get();
  const [choices, setChoices] = useState<ReadonlyMap<string, ConflictSide>>(new Map());
  const questions = findNodeConflicts(saved.definition, definition, theirs.definition);
  const mergedName = name.trim() === saved.name ? theirs.name : name;
  const resolve = (next: WorkflowDefinition, title: string) => onResolve({ definition: next, name: title });
  return (
    <Modal opened onClose={onClose} title="Someone else saved this workflow" size="xl">
      <Stack>
        <Text size="sm">
          The workflow changed since you opened it. Merge both changes, or choose one. Their version stays in the
          version history. Undo restores yours.
        </Text>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <DefinitionChanges
            title="Your changes"
            rename={name.trim() === saved.name ? undefined : name}
            comparison={compareDefinitions(saved.definition, definition)}
            catalogue={catalogue}
          />
          <DefinitionChanges
            title="Their changes"
            rename={theirs.name === saved.name ? undefined : theirs.name}
            comparison={compareDefinitions(saved.definition, theirs.definition)}
            catalogue={catalogue}
          />
        </SimpleGrid>
        {questions.map(({ id, mine, theirs: their }) => (
          <Stack
            key={id}
            gap={8}
            role="group"
            aria-label={`Both changed ${conflictNodeTitle(mine ?? their, catalogue)}`}
          >
            <Group justify="space-between">
              <Text size="sm" fw={600}>
                Both changed “{conflictNodeTitle(mine ?? their, catalogue)}”
              </Text>
              <SegmentedControl
                size="xs"
                data={[
                  { value: 'mine', label: 'Mine' },
                  { value: 'theirs', label: 'Theirs' },
                ]}
                value={choices.get(id) ?? 'mine'}
                onChange={(side) => setChoices(new Map(choices).set(id, side as ConflictSide))}
              />
            </Group>
            <SimpleGrid cols={{ base: 1, sm: 2 }}>
              <JsonView label="Mine" value={mine?.config ?? 'removed'} />
              <JsonView label="Theirs" value={their?.config ?? 'removed'} />
            </SimpleGrid>
          </Stack>
        ))}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={() => resolve(theirs.definition, theirs.name)}>
            Use theirs
          </Button>
          <Button variant="default" onClick={() => resolve(definition, name)}>
            Keep mine
          </Button>
          <Button
            data-autofocus
            onClick={() =>
              resolve(mergeDefinitions(saved.definition, definition, theirs.definition, choices), mergedName)
            }
          >
            Merge both
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

const conflictNodeTitle = (node: WorkflowNode | undefined, catalogue: NodeTypesByName) =>
  node ? nodeTitle(node, catalogue.get(node.type)) : 'a node';
