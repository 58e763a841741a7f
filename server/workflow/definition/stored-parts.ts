import { NOTIFY_CHANNELS } from '@/server/platform/db/notify-channels';
import type { DatabaseClient } from '@/server/platform/db/client';

const notifyWorkflow = (db: DatabaseClient, channel: string, workflowId: string): Promise<number> =>
  db.$executeRaw`SELECT pg_notify(${channel}, ${JSON.stringify([workflowId])})`;

/** Tells those who have the workflow open that its pins have changed, with the commit. */
export const notifyPinsChanged = (db: DatabaseClient, workflowId: string): Promise<number> =>
  notifyWorkflow(db, NOTIFY_CHANNELS.pins, workflowId);

/** Tells those who have the workflow open that a version was saved, published or discarded, with the commit. */
export const notifyWorkflowSaved = (db: DatabaseClient, workflowId: string): Promise<number> =>
  notifyWorkflow(db, NOTIFY_CHANNELS.workflowSaves, workflowId);
