import { Group, Modal, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import type { EditorCommand } from './editor-command';
import { KeyCombination } from '@/components/ui/choosing/KeyCombination';

const OTHER_SHORTCUTS = [
  { title: 'Copy, cut, paste', keys: ['mod+c', 'mod+x', 'mod+v'] },
  { title: 'In a node’s dialog: previous node, next node', keys: ['alt+,', 'alt+.'] },
  { title: 'In a field with an expression: large editor', keys: ['alt+enter'] },
  { title: 'In the palette: add to the favourites, or remove', keys: ['alt+f'] },
  { title: 'Pan the canvas: drag with Space or Ctrl, or use the wheel', keys: ['space', 'mod'] },
];

/** All keyboard shortcuts of the editor, by group. */
export function ShortcutsDialog({ commands, onClose }: { commands: EditorCommand[]; onClose(): void }) {
  const groups = new Map<string, { title: string; keys: string[] }[]>();
  for (const { group, title, keys } of commands)
    if (keys) groups.set(group, [...(groups.get(group) ?? []), { title, keys }]);
  groups.set('Edit', [...(groups.get('Edit') ?? []), ...OTHER_SHORTCUTS]);
  return (
    <Modal opened onClose={onClose} title="Keyboard shortcuts" size="lg">
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xl">
        {[...groups].map(([group, entries]) => (
          <Stack key={group} gap={6}>
            <Title order={3} size="h4">
              {group}
            </Title>
            {entries.map(({ title, keys }) => (
              <Group key={title} justify="space-between" wrap="nowrap" gap="md">
                <Text size="sm">{title}</Text>
                <Group gap={8} wrap="nowrap">
                  {keys.map((each) => (
                    <KeyCombination key={each} keys={each} />
                  ))}
                </Group>
              </Group>
            ))}
          </Stack>
        ))}
      </SimpleGrid>
    </Modal>
  );
}
