import { Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import type { Catalogue } from '../canvas/flow';
import { NodeIcon } from '../canvas/NodeIcon';
import { nodeTitle } from '../canvas/summary';
import { useTRPC } from '../client/trpc';
import { Chooser, type Choice } from './Chooser';
import type { Command } from './commands';
import { useDraft } from './draft';
import { Keys } from './Keys';

interface Props {
  commands: Command[];
  catalogue: Catalogue;
  onShowNode(id: string): void;
  onClose(): void;
}

/** Everything by name: what can be done, the nodes of this workflow, other workflows. */
export function CommandBar({ commands, catalogue, onShowNode, onClose }: Props) {
  const trpc = useTRPC();
  const router = useRouter();
  const nodes = useDraft((draft) => draft.definition.nodes);
  const { data: workflows } = useQuery(
    trpc.workflows.list.queryOptions({ query: { limit: '100' } }, { staleTime: 60_000 }),
  );
  const choices: Choice[] = [
    ...commands
      .filter(({ applies, id }) => applies?.() !== false && id !== 'bar')
      .map(({ id, title, group, keys }) => ({
        id: `do:${id}`,
        group,
        title,
        aside: keys?.[0] && <Keys keys={keys[0]} />,
      })),
    ...nodes.map((node) => ({
      id: `node:${node.id}`,
      group: 'Nodes',
      title: nodeTitle(node, catalogue.get(node.type)),
      words: node.id,
      icon: <NodeIcon kind={catalogue.get(node.type)} size={26} />,
    })),
    ...(workflows?.data ?? []).map(({ id, name }) => ({ id: `workflow:${id}`, group: 'Workflows', title: name })),
  ];
  const pick = (choice: string) => {
    const [kind, id = ''] = choice.split(/:(.*)/s);
    onClose();
    if (kind === 'do') commands.find((command) => command.id === id)?.run();
    else if (kind === 'node') onShowNode(id);
    else router.push(`/workflows/${id}`);
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
      <Chooser
        label="What to do"
        placeholder="A command, a node, a workflow"
        choices={choices}
        onPick={pick}
        onClose={onClose}
      />
    </Modal>
  );
}
