import { useState } from 'react';
import type { NodeTypeDescription } from '@/contract/workflows/node-type';
import type { WorkflowHint } from '@/contract/channel';
import { definitionLanguage } from '@/contract/workflows/expression-language';
import type { InvalidDraftSummary } from '@/contract/workflows/invalid-draft';
import type { NodeTypesByName } from '@/components/graph/cards-and-edges';
import { useIdleCallback } from '@/components/client/useIdleCallback';
import { useCurrentUser } from '@/components/client/useCurrentUser';
import classes from '@/components/ui/states/Workbench.module.css';
import { ExpressionLanguageContext } from '@/components/ui/values/expression-language';
import { useDraft } from './draft/draft';
import { EditorActionsContext } from './commands/editor-actions';
import { EditorBar } from './EditorBar';
import { EditorDialogs } from './EditorDialogs';
import { EditorStage } from './EditorStage';
import { LazyCanvasMenu, preloadEditorComponents, LazyTour } from './lazy-components';
import { EditorRunContext } from './run/editor-run';
import { StartChoicesProvider } from './triggers/StartChoicesProvider';
import { useAwaitedTestCall } from './triggers/useAwaitedTestCall';
import { editorRunFromState, useActionsFromState, useEditorState } from './useEditorState';

interface Props {
  types: NodeTypeDescription[];
  catalogue: NodeTypesByName;
  /** The run to open at first. */
  runId: string | undefined;
  /** Changes that other people could not save as a version. */
  othersDrafts: InvalidDraftSummary[];
}

/** Loads the code of further components and shows the tour, once the canvas is drawn. */
function PreloadAndTour() {
  const { me } = useCurrentUser();
  const [isIdle, setIdle] = useState(false);
  useIdleCallback(() => {
    preloadEditorComponents();
    setIdle(true);
  });
  return isIdle && me && !me.user.preferences.isTourOver ? <LazyTour /> : null;
}

/**
 * The workflow editor: toolbar, canvas, palette, side panel and dialogs. Each component subscribes to its own part of
 * the draft, so that selecting or moving a node does not render this one.
 */
export function WorkflowEditor({ types, catalogue, runId, othersDrafts }: Props) {
  const editor = useEditorState(catalogue, runId);
  const { commands, canvas, view, setSide, setDialog } = editor;
  const actions = useActionsFromState(editor);
  const language = useDraft(({ definition }) => definitionLanguage(definition));
  const testCall = useAwaitedTestCall(editor.showRun, editor.pinning);
  const reread: Record<WorkflowHint['type'], () => unknown> = {
    webhook_called: testCall.refresh,
    pins_changed: editor.pinning.reload,
    workflow_saved: editor.saving.takeOver,
  };
  const page = (
    <div className={classes.page}>
      <EditorBar
        commands={commands}
        catalogue={catalogue}
        hiddenRunId={editor.run.hiddenId}
        onStatus={(status) => void editor.setStatus(status)}
        onSide={setSide}
        onHint={(hint) => reread[hint]()}
      />
      <EditorStage
        editor={editor}
        types={types}
        catalogue={catalogue}
        testCall={testCall}
        othersDrafts={othersDrafts}
      />
      <PreloadAndTour />
      {canvas.menu && (
        <LazyCanvasMenu
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
        onGoLive={() => void editor.goLive()}
      />
    </div>
  );
  return (
    <EditorRunContext value={editorRunFromState(editor)}>
      <ExpressionLanguageContext value={language}>
        <EditorActionsContext value={actions}>
          <StartChoicesProvider>{page}</StartChoicesProvider>
        </EditorActionsContext>
      </ExpressionLanguageContext>
    </EditorRunContext>
  );
}
