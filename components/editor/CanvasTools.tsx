import { Anchor, Breadcrumbs, Button, Group, Paper } from '@mantine/core';
import { IconListCheck, IconPlus } from '@tabler/icons-react';
import { Panel } from '@xyflow/react';
import type { NodeType } from '@/contract/node-type';
import type { Catalogue } from '../canvas/flow';
import { nodeTitle } from '../canvas/summary';
import { RoundPicker } from '../executions/RoundPicker';
import { bodyAt } from './body';
import { useDraft, useDraftStore } from './draft';
import { Palette } from './parts';
import type { Pick } from './pick';
import type { Purpose } from './purpose';
import { useRunData } from './run-data';

interface Props {
  types: NodeType[];
  catalogue: Catalogue;
  purpose: Purpose | undefined;
  onPalette(): void;
  onPick(pick: Pick): void;
  onClosePalette(): void;
  onShowRun: (() => void) | undefined;
}

/** What lies on the canvas: the palette, where one is, and the way back to a run. */
export function CanvasTools({ types, catalogue, purpose, onPalette, onPick, onClosePalette, onShowRun }: Props) {
  const path = useDraft((draft) => draft.path);
  const { rounds } = useRunData();
  return (
    <>
      <Panel position="top-left" style={{ display: 'flex', flexDirection: 'column', gap: 8 }}>
        <Button
          variant="default"
          w="fit-content"
          data-opens="palette"
          leftSection={<IconPlus size={16} aria-hidden />}
          aria-haspopup="dialog"
          aria-expanded={purpose !== undefined}
          onClick={onPalette}
        >
          Add node
        </Button>
        {purpose && <Palette types={types} onPick={onPick} onClose={onClosePalette} />}
      </Panel>
      {path.length > 0 && (
        <Panel position="top-center">
          <Paper withBorder px="md" py={6} component="nav" aria-label="Where you are">
            <Group gap="md">
              <Trail catalogue={catalogue} />
              {rounds.all.size > 0 && (
                <RoundPicker rounds={rounds.all} value={rounds.chosen} onChange={rounds.choose} />
              )}
            </Group>
          </Paper>
        </Panel>
      )}
      {onShowRun && (
        <Panel position="top-right">
          <Button variant="default" leftSection={<IconListCheck size={16} aria-hidden />} onClick={onShowRun}>
            Show the run
          </Button>
        </Panel>
      )}
    </>
  );
}

function Trail({ catalogue }: { catalogue: Catalogue }) {
  const store = useDraftStore();
  const path = useDraft((draft) => draft.path);
  const definition = useDraft((draft) => draft.definition);
  const name = useDraft((draft) => draft.name);
  const titles = path.map((id, depth) => {
    const node = bodyAt(definition, path.slice(0, depth)).nodes.find((candidate) => candidate.id === id);
    return node ? nodeTitle(node, catalogue.get(node.type)) : id;
  });
  return (
    <Breadcrumbs separatorMargin={6}>
      {[name, ...titles].map((title, depth) =>
        depth === path.length ? (
          <span key={depth} aria-current="location" style={{ fontWeight: 600 }}>
            {title}
          </span>
        ) : (
          <Anchor
            key={depth}
            component="button"
            size="sm"
            onClick={() => store.set({ path: path.slice(0, depth), selectedIds: [] })}
          >
            {title}
          </Anchor>
        ),
      )}
    </Breadcrumbs>
  );
}
