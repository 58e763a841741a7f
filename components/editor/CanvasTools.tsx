import { Anchor, Breadcrumbs, Button, Group, Paper } from '@mantine/core';
import { IconHandStop, IconListCheck, IconPlus, IconSparkles } from '@tabler/icons-react';
import { Panel, type XYPosition } from '@xyflow/react';
import { useState, type CSSProperties, type ReactNode } from 'react';
import type { NodeTypeDescription } from '@/contract/workflows/node-type';
import type { NodeTypesByName } from '@/components/graph/cards-and-edges';
import { nodeTitle } from '@/components/graph/summary';
import { definitionAtPath } from '@/components/graph/body';
import { usePermissions } from '@/components/client/usePermissions';
import type { TriggerPreset } from '@/components/triggers/kinds/presets';
import classes from './CanvasTools.module.css';
import { canvasDefinition, useDraft, useDraftStore } from './draft/draft';
import { canvasPath } from './frames/open-loops';
import { LazyPalette, LazyRoundPicker } from './lazy-components';
import type { NodePaletteProps } from './palette/NodePalette';
import type { PalettePick } from './palette/palette-pick';
import type { NodeInsertion } from './palette/node-insertion';
import { useEditorRun } from './run/editor-run';

interface Props {
  types: NodeTypeDescription[];
  catalogue: NodeTypesByName;
  insertion: NodeInsertion | undefined;
  /** The position of the palette in pixels from the corner of the canvas. Undefined: it is below the button. */
  palettePlace: XYPosition | undefined;
  onPalette(): void;
  /** Absent: the person may not use language models. */
  onBuild: (() => void) | undefined;
  onPick(pick: PalettePick, isByFinger: boolean): void;
  onTrigger(kind: string, preset?: TriggerPreset): void;
  onCommand(id: string): void;
  onClosePalette(isLeft: boolean): void;
  onShowRun: (() => void) | undefined;
  testCallBar: ReactNode;
}

/** Controls over the canvas: the palette, the path of opened loops, and the way back to a run. */
export function CanvasTools({
  types,
  catalogue,
  insertion,
  palettePlace,
  onPalette,
  onBuild,
  onPick,
  onTrigger,
  onCommand,
  onClosePalette,
  onShowRun,
  testCallBar,
}: Props) {
  const path = useDraft(canvasPath);
  const { readRounds, latest } = useEditorRun();
  const rounds = readRounds(path);
  const can = usePermissions();
  // The panel of the run has the questions.
  const mayDecide = latest?.status === 'paused' && can('execution:resume') !== 'none';
  const agentTitle = useDraft((draft) => {
    const agentId = insertion?.kind === 'part' ? insertion.agentId : undefined;
    const agent = canvasDefinition(draft).nodes.find(({ id }) => id === agentId);
    return agent && nodeTitle(agent, catalogue.get(agent.type));
  });
  const palette = insertion && (
    <PaletteWithEarlySearch
      types={types}
      agentTitle={agentTitle}
      onPick={onPick}
      onTrigger={onTrigger}
      onCommand={onCommand}
      onClose={onClosePalette}
    />
  );
  return (
    <>
      <Panel position="top-left" className={classes.below} style={{ display: 'flex', flexDirection: 'column', gap: 8 }}>
        <Group gap={8} wrap="nowrap">
          <Button
            variant="default"
            w="fit-content"
            data-opens="palette"
            leftSection={<IconPlus size={16} aria-hidden />}
            aria-haspopup="dialog"
            aria-expanded={insertion !== undefined}
            onClick={onPalette}
          >
            Add node
          </Button>
          {onBuild && (
            <Button
              variant="default"
              className={classes.build}
              leftSection={<IconSparkles size={16} aria-hidden />}
              aria-label="Build with AI"
              aria-haspopup="dialog"
              onClick={onBuild}
            >
              Build with AI
            </Button>
          )}
        </Group>
        {!palettePlace && palette}
      </Panel>
      {palettePlace && palette && (
        <div
          className={classes.palette}
          style={{ '--x': `${palettePlace.x}px`, '--y': `${palettePlace.y}px` } as CSSProperties}
        >
          {palette}
        </div>
      )}
      {path.length > 0 && (
        <Panel position="top-center">
          <Paper withBorder px="md" py={6} component="nav" aria-label="Loop path">
            <Group gap="md">
              <LoopBreadcrumbs catalogue={catalogue} />
              {rounds.all.size > 0 && (
                <LazyRoundPicker rounds={rounds.all} value={rounds.chosen} onChange={rounds.choose} />
              )}
            </Group>
          </Paper>
        </Panel>
      )}
      {testCallBar && (
        <Panel position="top-center" className={classes.testCall} data-below={path.length > 0 || undefined}>
          {testCallBar}
        </Panel>
      )}
      {onShowRun && (
        <Panel position="top-right">
          {mayDecide ? (
            <Button color="weld" autoContrast leftSection={<IconHandStop size={16} aria-hidden />} onClick={onShowRun}>
              Decide
            </Button>
          ) : (
            <Button variant="default" leftSection={<IconListCheck size={16} aria-hidden />} onClick={onShowRun}>
              Show the run
            </Button>
          )}
        </Panel>
      )}
    </>
  );
}

/** The palette, with what is typed while its code loads. */
function PaletteWithEarlySearch(props: Omit<NodePaletteProps, 'early'>) {
  const [text, setText] = useState('');
  return <LazyPalette {...props} early={{ text, onChange: setText }} />;
}

function LoopBreadcrumbs({ catalogue }: { catalogue: NodeTypesByName }) {
  const store = useDraftStore();
  const path = useDraft(canvasPath);
  const definition = useDraft((draft) => draft.definition);
  const name = useDraft((draft) => draft.name);
  const titles = path.map((id, depth) => {
    const node = definitionAtPath(definition, path.slice(0, depth)).nodes.find((candidate) => candidate.id === id);
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
