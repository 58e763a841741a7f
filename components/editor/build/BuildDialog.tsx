import { Alert, Anchor, Button, Modal, Skeleton, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { IconPlus } from '@tabler/icons-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { NodeTypeDescription } from '@/contract/workflows/node-type';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import type { NodeTypesByName } from '@/components/graph/cards-and-edges';
import { usePermissions } from '@/components/client/usePermissions';
import { useCurrentUser } from '@/components/client/useCurrentUser';
import { EXAMPLE_INSTRUCTIONS } from '@/components/client/build-prompt';
import { useTRPC } from '@/components/client/trpc';
import { CreateCredential } from '@/components/credentials/CreateCredential';
import { EmptyCredentialsArt } from '@/components/ui/art/EmptyCredentialsArt';
import { EmptyState } from '@/components/ui/states/EmptyState';
import { RequestErrorAlert } from '@/components/ui/states/RequestErrorAlert';
import { changeDefinition, useDraft, useDraftStore } from '../draft/draft';
import { mergeDefinitions } from '../draft/merge-definitions';
import { useModelOptions } from '../node/agent/useModelOptions';
import type { AppliedProposalState } from './applied-proposal-state';
import { isAlmostEmpty } from './arrange';
import { readChosenModel, storeChosenModel, type ChosenModel } from './chosen-model';
import { InstructionForm } from './InstructionForm';
import { ModelChoice } from './ModelChoice';
import { createModelNode } from './ModelIdField';
import { BuildProgress } from './BuildProgress';
import { ProposalView } from './ProposalView';
import { useCreateProposedTriggers } from './useCreateProposedTriggers';
import { useProposal, type ProposalResult } from './useProposal';

interface Props {
  catalogue: NodeTypesByName;
  /** The text to begin with. */
  instruction: string | undefined;
  /** The text is sent at once, with the model that was used last or the first one. */
  isSent?: boolean;
  /** Saves the draft: triggers are created for what is saved. */
  onSave(): Promise<boolean>;
  /** Called when the proposal is on the canvas and its triggers are created. */
  onApplied(applied: AppliedProposalState): void;
  onClose(): void;
}

/** Describes a workflow, or a change of it, in words; a language model proposes it, and a person applies it. */
export function BuildDialog(props: Props) {
  const trpc = useTRPC();
  const { workspace } = useCurrentUser();
  const kind = props.catalogue.get('llm');
  const found = useQuery(trpc.credentials.list.queryOptions({ query: { type: 'llm', limit: 1 } }));
  const first = found.data?.data[0]?.id;
  return (
    <Modal
      opened
      onClose={props.onClose}
      title="Build with AI"
      size="min(900px, 94vw)"
      closeOnClickOutside={false}
      stackId="build"
    >
      {found.error && (
        <RequestErrorAlert
          title="The credentials can’t be loaded"
          error={found.error}
          onRetry={() => void found.refetch()}
        />
      )}
      {found.isPending && <Skeleton h={240} />}
      {found.data && first === undefined && <ConnectModelState />}
      {first !== undefined && kind && workspace && (
        <BuilderForm {...props} kind={kind} workspaceId={workspace.id} firstId={first} />
      )}
    </Modal>
  );
}

const isModelCredential = (type: string) => type === 'llm';

/** Nothing can be built without a language model: it can be connected here. */
function ConnectModelState() {
  const can = usePermissions();
  const [isOpen, setOpen] = useState(false);
  const mayCreate = can('credential:create') !== 'none';
  return (
    <>
      <EmptyState
        art={<EmptyCredentialsArt />}
        title="Connect a language model first"
        action={
          mayCreate && (
            <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setOpen(true)}>
              New credential
            </Button>
          )
        }
      >
        <p>
          Weft uses a model of your own: OpenAI, Anthropic, Google, Ollama, or any server with the API of OpenAI.
          {!mayCreate && ' Ask an admin of the workspace for a credential of the type “Language model”.'}
        </p>
      </EmptyState>
      <CreateCredential
        isOpen={isOpen}
        fits={isModelCredential}
        onCreated={() => setOpen(false)}
        onClose={() => setOpen(false)}
      />
    </>
  );
}

interface BuilderFormProps extends Props {
  kind: NodeTypeDescription;
  workspaceId: string;
  /** The credential that is chosen at first. */
  firstId: string;
}

function BuilderForm({
  catalogue,
  instruction = '',
  isSent = false,
  onSave,
  onApplied,
  onClose,
  kind,
  workspaceId,
  firstId,
}: BuilderFormProps) {
  const store = useDraftStore();
  const isEmpty = useDraft(({ definition }) => isAlmostEmpty(definition));
  const { choice, setChoice, model } = useModelSelection(kind, workspaceId, firstId);
  const { result, progress, error, send, stop, arrange, instruction: sent } = useProposal(catalogue);
  const start = (text: string) => {
    if (!choice.credentialId) return;
    storeChosenModel(workspaceId, { ...choice, model });
    void send(text, { credentialId: choice.credentialId, model });
  };
  const isReady = choice.credentialId !== undefined && model !== '';
  const sendAtOnce = useEffectEvent(() => start(instruction));
  const wasSent = useRef(false);
  useEffect(() => {
    if (!isSent || !isReady || wasSent.current) return;
    wasSent.current = true;
    sendAtOnce();
  }, [isSent, isReady]);
  const createTriggers = useCreateProposedTriggers(onSave);
  const [isApplying, setApplying] = useState(false);
  const apply = async (definition: WorkflowDefinition) => {
    const draft = store.get();
    store.set({
      ...changeDefinition(draft, mergeIntoCanvas(draft.definition, definition, result)),
      path: [],
      selectedIds: [],
    });
    notifications.show({ color: 'verdigris', message: 'The proposal is on the canvas. Undo takes it back.' });
    setApplying(true);
    const secrets = await createTriggers(result?.triggers ?? []);
    const beforeIds = draft.definition.nodes.map(({ id }) => id);
    onApplied({ secrets, exampleInput: result?.exampleInput ?? {}, beforeIds });
  };
  if (progress) return <BuildProgress instruction={sent} steps={progress} onStop={stop} />;
  return (
    <Stack gap="lg">
      {error && (
        <Alert color="madder" title="There is no proposal" role="alert">
          {error}
        </Alert>
      )}
      {result && (
        <ProposalView
          result={result}
          catalogue={catalogue}
          onArrange={(isWhole) => void arrange(isWhole)}
          isApplying={isApplying}
          onApply={(definition) => void apply(definition)}
          onDiscard={onClose}
        />
      )}
      <InstructionForm
        key={result ? 'next' : 'first'}
        label={result ? 'What should be different?' : isEmpty ? 'What should the workflow do?' : 'What should change?'}
        placeholder={result ? 'Send the mail to the team lead instead.' : 'Describe it in your own words.'}
        action={result ? 'Refine' : 'Build'}
        initial={sent || (result ? '' : instruction)}
        examples={isEmpty && !result ? EXAMPLE_INSTRUCTIONS : undefined}
        isMain={!result}
        lacking={isReady ? undefined : 'Choose a credential and a model first'}
        onSend={start}
      >
        {!result && <ModelChoice kind={kind} value={choice} onChange={setChoice} />}
        {!result && <SentDataNote />}
      </InstructionForm>
    </Stack>
  );
}

/** The chosen model: the last one in this workspace, or else the first one that the service knows of the provider. */
function useModelSelection(kind: NodeTypeDescription, workspaceId: string, firstId: string) {
  const [choice, setChoice] = useState<ChosenModel>(() => {
    const last = readChosenModel(workspaceId);
    return last.credentialId === undefined ? { credentialId: firstId, model: undefined } : last;
  });
  const [suggested] = useModelOptions(createModelNode(choice.credentialId), kind);
  return { choice, setChoice, model: (choice.model ?? suggested?.value ?? '').trim() };
}

/** The proposal; or, if the canvas has changed meanwhile, both changes together. */
const mergeIntoCanvas = (
  now: WorkflowDefinition,
  proposal: WorkflowDefinition,
  result: ProposalResult | undefined,
): WorkflowDefinition => (!result || now === result.before ? proposal : mergeDefinitions(result.before, proposal, now));

/** Tells which data is sent to the model. */
function SentDataNote() {
  return (
    <Text size="xs" c="dimmed">
      The model gets your words, this workflow, and the names of credentials, tables, workflows and variables; of the
      last run only the names and types of fields. No secrets.{' '}
      <Anchor href="/docs/ai-builder" target="_blank" size="xs" underline="always">
        Details
      </Anchor>
    </Text>
  );
}
