'use client';

import { useQuery } from '@tanstack/react-query';
import { ReactFlowProvider } from '@xyflow/react';
import { useSearchParams } from 'next/navigation';
import { useMemo, useState } from 'react';
import type { NodeTypeDescription } from '@/contract/workflows/node-type';
import type { InvalidDraftSummary } from '@/contract/workflows/invalid-draft';
import type { WorkflowDraft } from '@/contract/workflows/workflow';
import { definitionAtPath } from '@/components/graph/body';
import { isSameJson } from '@/components/graph/compare';
import { indexNodeTypes } from '@/components/graph/cards-and-edges';
import { lazyWithPreload } from '@/components/client/lazy-with-preload';
import { readApiError } from '@/components/client/api-error';
import { createObservableStore } from '@/components/client/store';
import { useTRPC } from '@/components/client/trpc';
import { useNodeTypes } from '@/components/client/queries/useNodeTypes';
import { useObjectPermission } from '@/components/client/useObjectPermission';
import { useCurrentUser } from '@/components/client/useCurrentUser';
import { RequestErrorAlert } from '@/components/ui/states/RequestErrorAlert';
import { PageNotFoundState } from '@/components/ui/states/PageNotFoundState';
import { WorkbenchSkeleton } from '@/components/ui/states/WorkbenchSkeleton';
import { changeDefinition, DraftContext, createDraftState, type EditorDraft } from './draft/draft';
import type { NamedDefinition } from './draft/merge-definitions';
import { WorkflowEditor } from './WorkflowEditor';
import { indexPinsByPath, type PinResponse } from './pins/pinned-outputs';
import { readLocalBackup } from '@/components/client/local-backup';

/** Read-only view, for people without the permission to edit. */
const LazyWorkflowView = lazyWithPreload(
  () => import('./ReadOnlyWorkflow').then((module) => module.ReadOnlyWorkflow),
  <WorkbenchSkeleton />,
);

/** These queries are fetched once, when the editor is opened. */
const FETCH_ONCE_OPTIONS = { refetchOnWindowFocus: false, staleTime: Infinity, gcTime: 0 };

export function EditorPage({ id }: { id: string }) {
  const trpc = useTRPC();
  const mayUpdate = useObjectPermission('workflow', 'update', id);
  const params = { id };
  // A refetch on window focus would change the canvas while someone edits.
  const draft = useQuery(
    trpc.drafts.get.queryOptions({ params }, { enabled: mayUpdate === true, refetchOnWindowFocus: false }),
  );
  const invalid = useInvalidDrafts(id, mayUpdate === true);
  const pins = useQuery(
    trpc.pins.list.queryOptions({ params }, { ...FETCH_ONCE_OPTIONS, enabled: mayUpdate === true }),
  );
  // Read-only viewers see the live version.
  const live = useQuery(trpc.workflows.get.queryOptions({ params }, { enabled: mayUpdate === false }));
  const types = useNodeTypes();
  const left = useLeftChanges(draft.data, invalid);
  // Until the permissions are loaded, the draft may have been asked for in vain. A draft that is open stays open when it
  // cannot be read again.
  const { workspace } = useCurrentUser();
  const draftError = workspace && mayUpdate ? ((draft.data ? null : draft.error) ?? invalid.error ?? pins.error) : null;
  const error = draftError ?? live.error ?? types.error;
  if (error && readApiError(error).code === 'NOT_FOUND') return <PageNotFoundState />;
  if (error)
    return (
      <RequestErrorAlert
        title="The workflow can’t be opened"
        error={error}
        onRetry={() => void (mayUpdate ? draft : live).refetch()}
      />
    );
  if (types.data && mayUpdate && draft.data && pins.data && left)
    return (
      <DraftProvider
        key={id}
        workflow={draft.data}
        types={types.data}
        left={left}
        pins={pins.data.data}
        othersDrafts={invalid.ofOthers}
      />
    );
  if (types.data && mayUpdate === false && live.data)
    return <LazyWorkflowView workflow={live.data} types={types.data} />;
  return <WorkbenchSkeleton />;
}

/**
 * Changes that are not saved as a version because of errors: those of the person, as they were at first, and of others.
 */
function useInvalidDrafts(id: string, isEnabled: boolean) {
  const trpc = useTRPC();
  const { me } = useCurrentUser();
  const userId = me?.user.id ?? '';
  const list = useQuery(
    trpc.invalidDrafts.list.queryOptions({ params: { id } }, { ...FETCH_ONCE_OPTIONS, enabled: isEnabled }),
  );
  const hasOwn = list.data?.data.some((one) => one.userId === userId) ?? false;
  const own = useQuery(
    trpc.invalidDrafts.get.queryOptions(
      { params: { id, userId } },
      { ...FETCH_ONCE_OPTIONS, enabled: isEnabled && hasOwn },
    ),
  );
  return {
    isLoaded: list.data !== undefined && (!hasOwn || own.data !== undefined),
    error: list.error ?? own.error,
    own: own.data,
    ofOthers: list.data?.data.filter((one) => one.userId !== userId) ?? [],
  };
}

/** Changes that are not saved as a version, and what they are changes of. */
interface LeftChanges {
  changes: (NamedDefinition & { version: number }) | undefined;
  /** They are stored by the service, because they have errors. */
  isInvalidDraft: boolean;
  base: NamedDefinition;
}

/** A version that no longer exists: everything that differs from the saved workflow is then asked for. */
const UNKNOWN_BASE: NamedDefinition = { name: '', definition: { nodes: [], connections: [] } };

/** The unsaved work of this browser, or else the invalid draft of the person. Undefined: it is being loaded. */
function useLeftChanges(
  current: WorkflowDraft | undefined,
  { isLoaded, own }: ReturnType<typeof useInvalidDrafts>,
): LeftChanges | undefined {
  const trpc = useTRPC();
  // As it was when it was opened: what the editor saves later is not compared with what was left before.
  const [workflow, setWorkflow] = useState(current);
  if (current && workflow?.id !== current.id) setWorkflow(current);
  const id = workflow?.id;
  // Read once: the editor writes its backup while people edit.
  const backup = useMemo(() => (id === undefined ? undefined : readLocalBackup(id)), [id]);
  const changes = backup ?? own;
  const isOlder = changes !== undefined && workflow !== undefined && changes.version !== workflow.version;
  const base = useQuery(
    trpc.versions.get.queryOptions(
      { params: { id: id ?? '', version: String(changes?.version ?? 0) } },
      { ...FETCH_ONCE_OPTIONS, enabled: isOlder, retry: false },
    ),
  );
  if (!workflow || !isLoaded || (isOlder && base.isPending)) return undefined;
  return {
    changes,
    isInvalidDraft: changes !== undefined && changes === own,
    base: isOlder ? (base.data ?? UNKNOWN_BASE) : workflow,
  };
}

interface Props {
  workflow: WorkflowDraft;
  types: NodeTypeDescription[];
  left: LeftChanges;
  pins: readonly PinResponse[];
  othersDrafts: InvalidDraftSummary[];
}

function DraftProvider({ workflow, types, left, pins, othersDrafts }: Props) {
  const query = useSearchParams();
  const [store] = useState(() =>
    createObservableStore(focusAddressedNode(openStoredDraft(workflow, left, pins), query)),
  );
  const runId = query.get('run') ?? undefined;
  const catalogue = useMemo(() => indexNodeTypes(types), [types]);
  return (
    <DraftContext value={store}>
      <ReactFlowProvider>
        <WorkflowEditor types={types} catalogue={catalogue} runId={runId} othersDrafts={othersDrafts} />
      </ReactFlowProvider>
    </DraftContext>
  );
}

/** Selects the node and the field that the URL names, if the node exists: `?node=loop/mail&field=config.to`. */
function focusAddressedNode(draft: EditorDraft, query: URLSearchParams): EditorDraft {
  const path = query.get('node')?.split('/') ?? [];
  const nodeId = path.pop();
  const node = definitionAtPath(draft.definition, path).nodes.find(({ id }) => id === nodeId);
  if (!node) return draft;
  const field = query.get('field');
  const focus = field === null ? undefined : { nodeId: node.id, field };
  return { ...draft, path, selectedIds: [node.id], focus };
}

/** Opens the saved workflow, or what could not be saved. */
function openStoredDraft(
  workflow: WorkflowDraft,
  { changes, isInvalidDraft, base }: LeftChanges,
  pins: readonly PinResponse[],
): EditorDraft {
  const draft = createDraftState(workflow, indexPinsByPath(pins));
  if (!changes || (isSameJson(changes.definition, workflow.definition) && changes.name === workflow.name)) return draft;
  const { name, definition, version } = changes;
  // The changes may be based on an older version: the next save merges them with what was saved since.
  const saved = { ...workflow, version, name: base.name, definition: base.definition };
  const state = isInvalidDraft ? { saving: 'invalid' as const, invalid: { name, definition } } : {};
  return { ...draft, ...changeDefinition(draft, definition), ...state, saved, name };
}
