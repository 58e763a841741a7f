import { Paper } from '@mantine/core';
import type { NodeCategory, NodeType } from '@/contract/node-type';
import { NODE_TYPE_DRAG } from '../canvas/events';
import { NodeIcon } from '../canvas/NodeIcon';
import { Chooser, type Choice } from './Chooser';
import { recentTypes, rememberType } from './recent';

const GROUPS: Record<NodeCategory, string> = {
  action: 'Actions',
  logic: 'Logic',
  data: 'Data',
  human: 'People',
  trigger: 'Start',
};

interface Props {
  types: NodeType[];
  onPick(type: NodeType): void;
  onClose(): void;
}

/** The node types to choose from: by search, by arrow keys, or dragged onto the canvas. */
export function Palette({ types, onPick, onClose }: Props) {
  const recent = recentTypes().flatMap((name) => types.find(({ type }) => type === name) ?? []);
  const choiceOf = (type: NodeType, group: string): Choice => ({
    id: `${group}:${type.type}`,
    group,
    title: type.title,
    description: type.description,
    words: type.type,
    icon: <NodeIcon kind={type} size={32} />,
  });
  const rest = types.filter((type) => !recent.includes(type));
  const choices = [
    ...recent.map((type) => choiceOf(type, 'Lately used')),
    ...Object.entries(GROUPS).flatMap(([category, label]) =>
      rest.filter((type) => type.category === category).map((type) => choiceOf(type, label)),
    ),
  ];
  const typeOf = (id: string) => types.find(({ type }) => id.endsWith(`:${type}`));
  return (
    <Paper shadow="lg" withBorder p={8} w={340} className="nowheel nopan" role="dialog" aria-label="Add a node">
      <Chooser
        label="Search nodes"
        placeholder="Search nodes"
        choices={choices}
        onClose={onClose}
        onPick={(id) => {
          const type = typeOf(id);
          if (!type) return;
          rememberType(type.type);
          onPick(type);
        }}
        onDragStart={(event, id) => {
          event.dataTransfer.setData(NODE_TYPE_DRAG, typeOf(id)?.type ?? '');
          event.dataTransfer.effectAllowed = 'copy';
        }}
      />
    </Paper>
  );
}
