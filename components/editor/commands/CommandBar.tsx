import { Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import type { NodeTypesByName } from '@/components/graph/cards-and-edges';
import { usePaletteEntries } from '@/components/command-palette/usePaletteEntries';
import { NodeIcon } from '@/components/canvas/NodeIcon';
import { nodeTitle } from '@/components/graph/summary';
import { useTRPC } from '@/components/client/trpc';
import { RUN_STATUS_STYLE } from '@/components/ui/states/status-style';
import { TimeAgo } from '@/components/ui/values/TimeAgo';
import { SearchCombobox, type ComboboxChoice } from '@/components/ui/choosing/SearchCombobox';
import type { EditorCommand } from './editor-command';
import { useDraft } from '../draft/draft';
import { KeyCombination } from '@/components/ui/choosing/KeyCombination';

interface Props {
  commands: EditorCommand[];
  catalogue: NodeTypesByName;
  onShowNode(id: string): void;
  onClose(): void;
}

/** Searches commands, nodes and runs of this workflow, and all that the command palette of other pages finds. */
export function CommandBar({ commands, catalogue, onShowNode, onClose }: Props) {
  const trpc = useTRPC();
  const router = useRouter();
  const nodes = useDraft((draft) => draft.definition.nodes);
  const workflowId = useDraft((draft) => draft.saved.id);
  const { data: runs } = useQuery(
    trpc.executions.list.queryOptions({ query: { workflowId, limit: '20' } }, { staleTime: 10_000 }),
  );
  const [search, setSearch] = useState('');
  const entries = usePaletteEntries(search, workflowId);
  const choices: ComboboxChoice[] = [
    ...commands
      .filter(({ applies, id }) => applies?.() !== false && id !== 'bar')
      .map(({ id, title, group, keys }) => ({
        id: `do:${id}`,
        group,
        title,
        aside: keys?.[0] && <KeyCombination keys={keys[0]} />,
      })),
    ...nodes.map((node) => ({
      id: `node:${node.id}`,
      group: 'Nodes',
      title: nodeTitle(node, catalogue.get(node.type)),
      words: [node.id],
      icon: <NodeIcon kind={catalogue.get(node.type)} size={26} />,
    })),
    ...(runs?.data ?? []).map(({ id, status, startedAt }) => ({
      id: `own-run:${id}`,
      group: 'Runs of this workflow',
      title: `${RUN_STATUS_STYLE[status].label}: run ${id.slice(-6)}`,
      words: [id, status],
      aside: <TimeAgo at={startedAt} />,
    })),
    ...entries.choices,
  ];
  const pick = (choice: string) => {
    const [kind, id = ''] = choice.split(/:(.*)/s);
    onClose();
    if (kind === 'do') commands.find((command) => command.id === id)?.run();
    else if (kind === 'node') onShowNode(id);
    else if (kind === 'own-run') router.push(`/executions/${id}`);
    else entries.pick(choice);
  };
  return (
    <Modal
      opened
      onClose={onClose}
      withCloseButton={false}
      padding="xs"
      yOffset="12vh"
      centered={false}
      attributes={{ content: { 'aria-label': 'Command bar' } }}
    >
      <SearchCombobox
        label="Search commands"
        placeholder="Search commands, nodes, runs, workflows and pages"
        choices={choices}
        onSearch={setSearch}
        onPick={pick}
        onClose={onClose}
      />
    </Modal>
  );
}
