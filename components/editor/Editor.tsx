import { useState } from 'react';
import type { NodeType } from '@/contract/workflows/node-type';
import type { InvalidDraftSummary } from '@/contract/workflows/invalid-draft';
import type { Catalogue } from '@/components/graph/flow';
import { useIdle } from '@/components/client/useIdle';
import { useMe } from '@/components/client/useMe';
import classes from '@/components/ui/states/Workbench.module.css';
import { ActionsContext } from './commands/actions';
import { EditorBar } from './EditorBar';
import { EditorDialogs } from './EditorDialogs';
import { EditorStage } from './EditorStage';
import { CanvasMenu, preloadComponents, Tour } from './lazy';
import { RunDataContext } from './run/run-data';
import { useTestCall } from './triggers/useTestCall';
import { runDataOf, useActionsOf, useEditor } from './useEditor';

interface Props {
  types: NodeType[];
  catalogue: Catalogue;
  /** The run to open at first. */
  runId: string | undefined;
  /** What other people could not save as a version. */
  othersDrafts: InvalidDraftSummary[];
}

/** What waits until the canvas is drawn: the code of further components, and the tour. */
function IdleParts() {
  const { me } = useMe();
  const [isIdle, setIdle] = useState(false);
  useIdle(() => {
    preloadComponents();
    setIdle(true);
  });
  return isIdle && me && !me.user.preferences.isTourOver ? <Tour /> : null;
}

/**
 * The workflow editor: toolbar, canvas, palette, side panel and dialogs. Each component subscribes to its own part of
 * the draft, so that selecting or moving a node does not render this one.
 */
export function Editor({ types, catalogue, runId, othersDrafts }: Props) {
  const editor = useEditor(catalogue, runId);
  const { commands, canvas, view, setSide, setDialog } = editor;
  const actions = useActionsOf(editor);
  const testCall = useTestCall(editor.showRun, editor.pinning);
  const page = (
    <div className={classes.page}>
      <EditorBar
        commands={commands}
        catalogue={catalogue}
        hiddenRunId={editor.run.hiddenId}
        onStatus={(status) => void editor.setStatus(status)}
        onSide={setSide}
        onHint={(hint) => (hint === 'webhook_called' ? testCall.refresh() : editor.pinning.reload())}
      />
      <EditorStage
        editor={editor}
        types={types}
        catalogue={catalogue}
        testCall={testCall}
        othersDrafts={othersDrafts}
      />
      <IdleParts />
      {canvas.menu && (
        <CanvasMenu
          place={canvas.menu.place}
          commands={[...commands.list, ...canvas.menu.commands]}
          onClose={canvas.closeMenu}
        />
      )}
      <EditorDialogs
        dialog={editor.dialog}
        catalogue={catalogue}
        commands={commands}
        saving={editor.saving}
        onShowNode={view.show}
        onShow={view.showIn}
        onFit={() => requestAnimationFrame(view.fit)}
        onDialog={setDialog}
      />
    </div>
  );
  return (
    <RunDataContext value={runDataOf(editor)}>
      <ActionsContext value={actions}>{page}</ActionsContext>
    </RunDataContext>
  );
}
