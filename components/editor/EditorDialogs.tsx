import type { Catalogue } from '@/components/graph/flow';
import type { Schema } from '@/components/forms/model/schema';
import { useDraft } from './draft/draft';
import {
  BuildDialog,
  CommandBar,
  ConflictDialog,
  ExtractDialog,
  KeyList,
  NodeDialog,
  PublishDialog,
  RunDialog,
  ShareDialog,
  TriggerDialog,
  WorkflowSettingsDialog,
  WorkflowTestsDialog,
} from './lazy';
import type { Commands } from './commands/useCommands';
import type { useSave } from './draft/useSave';
import { sampleInput } from './run/sample';
import type { View } from './useView';
import type { Dialog } from './commands/dialogs';

interface Props {
  dialog: Dialog | undefined;
  catalogue: Catalogue;
  commands: Commands;
  saving: ReturnType<typeof useSave>;
  onShowNode(id: string): void;
  onShow: View['showIn'];
  /** Shows the whole workflow, once it is drawn. */
  onFit(): void;
  onDialog(dialog: Dialog | undefined): void;
}

/** The open dialog of the editor. A save conflict takes precedence. */
export function EditorDialogs({ dialog, catalogue, commands, saving, onDialog, onShowNode, onShow, onFit }: Props) {
  const schema = useDraft(
    (draft) => draft.definition.nodes.find((node) => node.type === 'start')?.config.inputSchema,
  ) as Schema | undefined;
  const saved = useDraft((draft) => draft.saved);
  const definition = useDraft((draft) => draft.definition);
  const pins = useDraft((draft) => draft.pins);
  const close = () => onDialog(undefined);
  if (saving.theirs)
    return (
      <ConflictDialog
        theirs={saving.theirs}
        catalogue={catalogue}
        onResolve={saving.resolve}
        onClose={saving.postpone}
      />
    );
  switch (dialog?.kind) {
    case 'keys':
      return <KeyList commands={commands.list} onClose={close} />;
    case 'bar':
      return <CommandBar commands={commands.list} catalogue={catalogue} onShowNode={onShowNode} onClose={close} />;
    case 'build':
      return (
        <BuildDialog
          catalogue={catalogue}
          instruction={dialog.instruction}
          onApplied={() => {
            close();
            onFit();
          }}
          onClose={close}
        />
      );
    case 'extract':
      return <ExtractDialog catalogue={catalogue} onClose={close} />;
    case 'publish':
      return <PublishDialog catalogue={catalogue} saving={saving} onShow={onShow} onClose={close} />;
    case 'tests':
      return <WorkflowTestsDialog catalogue={catalogue} onSave={saving.save} onShowNode={onShowNode} onClose={close} />;
    case 'settings':
      return <WorkflowSettingsDialog id={saved.id} onClose={close} />;
    case 'share':
      return <ShareDialog workflow={saved} onClose={close} />;
    case 'input':
      return (
        <RunDialog
          schema={schema}
          sample={sampleInput({ definition, pins })}
          isStarting={commands.isStarting}
          onRun={(input) => {
            close();
            void commands.start(input);
          }}
          onClose={close}
        />
      );
    case 'node':
      return (
        <NodeDialog
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
        <TriggerDialog kind={dialog.trigger} id={dialog.id} preset={dialog.preset} workflow={saved} onClose={close} />
      );
    case undefined:
      return null;
  }
}
