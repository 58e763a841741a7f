import { definitionLanguage } from '@/contract/workflows/expression-language';
import type { NodeTypesByName } from '@/components/graph/cards-and-edges';
import type { FieldSchema } from '@/components/forms/model/field-schema';
import { useDraft } from './draft/draft';
import {
  LazyAppliedProposal,
  LazyBuildDialog,
  LazyCommandBar,
  LazyConvertLanguageDialog,
  LazyExtractDialog,
  LazyShortcutsDialog,
  LazyNodeDialog,
  LazyOriginDialog,
  LazyPublishDialog,
  LazyRunDialog,
  LazyShareDialog,
  LazyTriggerDialog,
  LazySettingsDialog,
  LazyTestsDialog,
} from './lazy-components';
import type { CommandControls } from './commands/useEditorCommands';
import type { useDraftSave } from './draft/useDraftSave';
import { findEditorStart, findStartNode, pinnedStartInput } from './run/sample-input';
import type { CanvasViewControls } from './useCanvasView';
import type { EditorDialog } from './commands/editor-dialogs';

interface Props {
  dialog: EditorDialog | undefined;
  catalogue: NodeTypesByName;
  commands: CommandControls;
  saving: ReturnType<typeof useDraftSave>;
  onShowNode(id: string): void;
  onShow: CanvasViewControls['showIn'];
  /** Shows the whole workflow, once it is drawn. */
  onFit(): void;
  /** Publishes without a further question. */
  onGoLive(): void;
  onDialog(dialog: EditorDialog | undefined): void;
}

/** The open dialog of the editor. A save conflict takes precedence. */
export function EditorDialogs({
  dialog,
  catalogue,
  commands,
  saving,
  onDialog,
  onShowNode,
  onShow,
  onFit,
  onGoLive,
}: Props) {
  const saved = useDraft((draft) => draft.saved);
  const definition = useDraft((draft) => draft.definition);
  const pins = useDraft((draft) => draft.pins);
  const close = () => onDialog(undefined);
  switch (dialog?.kind) {
    case 'keys':
      return <LazyShortcutsDialog commands={commands.list} onClose={close} />;
    case 'bar':
      return <LazyCommandBar commands={commands.list} catalogue={catalogue} onShowNode={onShowNode} onClose={close} />;
    case 'build':
      return (
        <LazyBuildDialog
          catalogue={catalogue}
          instruction={dialog.instruction}
          isSent={dialog.isSent}
          onSave={saving.save}
          onApplied={(applied) => onDialog({ kind: 'applied', applied })}
          onClose={close}
        />
      );
    case 'applied':
      return (
        <LazyAppliedProposal
          applied={dialog.applied}
          catalogue={catalogue}
          isStarting={commands.isStarting}
          onRun={(input) => void commands.start(input)}
          onFit={onFit}
          onGoLive={() => commands.do('publish')}
          onClose={close}
        />
      );
    case 'extract':
      return <LazyExtractDialog catalogue={catalogue} onClose={close} />;
    case 'publish':
      return <LazyPublishDialog catalogue={catalogue} saving={saving} onShow={onShow} onClose={close} />;
    case 'tests':
      return <LazyTestsDialog catalogue={catalogue} onSave={saving.save} onShowNode={onShowNode} onClose={close} />;
    case 'origin':
      return <LazyOriginDialog onShow={onShow} onClose={close} />;
    case 'settings':
      return (
        <LazySettingsDialog
          id={saved.id}
          language={definitionLanguage(definition)}
          onChangeLanguage={() => onDialog({ kind: 'language' })}
          onClose={close}
        />
      );
    case 'language':
      return <LazyConvertLanguageDialog catalogue={catalogue} onClose={close} />;
    case 'share':
      return <LazyShareDialog workflow={saved} onClose={close} />;
    case 'input': {
      const startNodeId = findEditorStart({ saved, definition });
      return (
        <LazyRunDialog
          schema={findStartNode(definition, startNodeId)?.config.inputSchema as FieldSchema | undefined}
          sample={pinnedStartInput({ definition, pins }, startNodeId)}
          isStarting={commands.isStarting}
          onRun={(input) => {
            close();
            void commands.start(input, startNodeId);
          }}
          onClose={close}
        />
      );
    }
    case 'node':
      return (
        <LazyNodeDialog
          nodeId={dialog.nodeId}
          catalogue={catalogue}
          onGo={(nodeId) => {
            onShowNode(nodeId);
            onDialog({ kind: 'node', nodeId });
          }}
          onClose={close}
        />
      );
    case 'trigger':
      return (
        <LazyTriggerDialog
          kind={dialog.trigger}
          id={dialog.id}
          preset={dialog.preset}
          workflow={saved}
          onGoLive={onGoLive}
          onClose={close}
        />
      );
    case undefined:
      return null;
  }
}
