import type pg from 'pg';
import { generateOrderedId } from '@/server/platform/db/ids';
import type { BackupTotals } from '../records';
import type { WorkspaceExportHeader } from './format';

/** Adds an entry to the audit log of the workspace. */
export async function recordWorkspaceTransfer(
  client: pg.Client,
  action: 'workspace.export' | 'workspace.import',
  { workspace, createdAt, hasRuns }: WorkspaceExportHeader,
  { rows, files }: Pick<BackupTotals, 'rows' | 'files'>,
): Promise<void> {
  const command = `npm run ${action.replace('.', ':')}`;
  const metadata = { ipAddress: '', userAgent: command, requestId: '', exportedAt: createdAt, hasRuns, rows, files };
  await client.query(
    `INSERT INTO audit_entry (id, workspace_id, category, action, result, actor, resource, metadata)
     VALUES ($1, $2, 'configuration_change', $3, 'success', $4, $5, $6)`,
    [
      generateOrderedId('aud'),
      workspace.id,
      action,
      JSON.stringify({ type: 'system', id: null, email: null }),
      JSON.stringify({ type: 'workspace', id: workspace.id, name: workspace.name }),
      JSON.stringify(metadata),
    ],
  );
}
