import { Button, Group, Modal, SegmentedControl, SimpleGrid, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { Definition, Node, WorkflowDraft } from '@/contract/workflows/workflow';
import { compare } from '@/components/graph/compare';
import type { Catalogue } from '@/components/graph/flow';
import { nodeTitle } from '@/components/graph/summary';
import { JsonView } from '@/components/ui/values/JsonView';
import { Changes } from '../versions/Changes';
import { useDraftStore, type Draft } from './draft';
import { contested, merge, type Side } from './merge';

interface Props {
  theirs: WorkflowDraft;
  catalogue: Catalogue;
  onResolve(resolved: Pick<Draft, 'name' | 'definition'>): void;
  onClose(): void;
}

/** Merges the changes of two people who edited the same workflow. */
export function ConflictDialog({ theirs, catalogue, onResolve, onClose }: Props) {
  const { saved, name, definition } = useDraftStore().get();
  const [choices, setChoices] = useState<ReadonlyMap<string, Side>>(new Map());
  const questions = contested(saved.definition, definition, theirs.definition);
  const mergedName = name.trim() === saved.name ? theirs.name : name;
  const resolve = (next: Definition, title: string) => onResolve({ definition: next, name: title });
  return (
    <Modal opened onClose={onClose} title="Someone else saved this workflow" size="xl">
      <Stack>
        <Text size="sm">
          The workflow changed since you opened it. Merge both changes, or choose one. Their version stays in the
          version history. Undo restores yours.
        </Text>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <Changes
            title="Your changes"
            rename={name.trim() === saved.name ? undefined : name}
            comparison={compare(saved.definition, definition)}
            catalogue={catalogue}
          />
          <Changes
            title="Their changes"
            rename={theirs.name === saved.name ? undefined : theirs.name}
            comparison={compare(saved.definition, theirs.definition)}
            catalogue={catalogue}
          />
        </SimpleGrid>
        {questions.map(({ id, mine, theirs: their }) => (
          <Stack key={id} gap={8} role="group" aria-label={`Both changed ${titleOf(mine ?? their, catalogue)}`}>
            <Group justify="space-between">
              <Text size="sm" fw={600}>
                Both changed “{titleOf(mine ?? their, catalogue)}”
              </Text>
              <SegmentedControl
                size="xs"
                data={[
                  { value: 'mine', label: 'Mine' },
                  { value: 'theirs', label: 'Theirs' },
                ]}
                value={choices.get(id) ?? 'mine'}
                onChange={(side) => setChoices(new Map(choices).set(id, side as Side))}
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
            onClick={() => resolve(merge(saved.definition, definition, theirs.definition, choices), mergedName)}
          >
            Merge both
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

const titleOf = (node: Node | undefined, catalogue: Catalogue) =>
  node ? nodeTitle(node, catalogue.get(node.type)) : 'a node';
