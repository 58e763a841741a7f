import type { AttemptOutcome } from '../attempt/outcome';
import type { AttemptScope } from '../attempt/context';
import type { ClaimedRun } from '../queue/claim';
import type { CommitChange } from '../store/change';
import type { RunStateStore } from './ledger';
import { finishAttempt } from './finish';

/** Commits the changes of one run's nodes together with their results. */
export const createChangeCommitter =
  (claimed: ClaimedRun, ledger: RunStateStore, commit: CommitChange): AttemptScope['commitChange'] =>
  async ({ node, path }, signal, apply) => {
    let rejected: AttemptOutcome | undefined;
    const { id: executionId, workspaceId, workflowId } = claimed;
    const row = await commit({
      executionId,
      workspaceId,
      workflowId,
      path,
      signal,
      async apply(data) {
        const outcome = await apply(data);
        if (outcome.kind === 'done')
          return finishAttempt(node, path, ledger.states.get(path), outcome, ledger.offloadLimit);
        rejected = outcome;
        return null;
      },
    });
    if (row) return { kind: 'stored', row };
    if (!rejected) throw new Error('A change was rolled back without a reason.');
    return rejected;
  };
