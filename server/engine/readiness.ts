import type { FieldError } from '@/contract/error';
import type { Definition } from '@/contract/workflow';
import type { Db } from '../db/client';
import { credentialIssues } from './credentials';
import { readinessIssues } from './definition';

/** All that keeps a definition from being run in a workspace, by whatever trigger. */
export const gapsOf = async (db: Db, workspaceId: string, definition: Definition): Promise<FieldError[]> => [
  ...readinessIssues(definition),
  ...(await credentialIssues(db, workspaceId, definition)),
];
