import { chownSync, mkdirSync, mkdtempSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { vi } from 'vitest';
import { prismaClient } from '@/server/platform/db/client';
import { generateId } from '@/server/platform/db/ids';
import type { ServerCredential } from '@/server/network/pools/pool';
import { runSqlQueries, type SqlQuery, type SqlRunOptions } from '@/server/network/sql/sql';
import type { TestCertificate } from '../certificates';

/** Writes certificates where a server that runs as the owner of `folder` can read them. Returns a folder to remove. */
export function storeCertificate({ ca, cert, key }: TestCertificate, folder: string): string {
  const target = mkdtempSync(path.join(tmpdir(), 'weft-tls-'));
  const { uid, gid } = statSync(folder);
  mkdirSync(target, { recursive: true });
  for (const [name, content] of Object.entries({ 'ca.pem': ca, 'cert.pem': cert, 'key.pem': key })) {
    const file = path.join(target, name);
    writeFileSync(file, content, { mode: 0o600 });
    chownSync(file, uid, gid);
  }
  chownSync(target, uid, gid);
  return target;
}

/** An open credential of a database. */
export const databaseCredential = (
  type: 'postgres' | 'mysql',
  config: Record<string, unknown>,
  more: Partial<ServerCredential> = {},
): ServerCredential => ({
  id: generateId('cred'),
  workspaceId: generateId('ws'),
  name: 'Test',
  type,
  version: 1,
  config,
  ...more,
});

/** The same with its row: without it, pooled sessions are closed after a while. */
export async function stored(credential: ServerCredential): Promise<ServerCredential> {
  const { id, workspaceId, name, type, version } = credential;
  await prismaClient().workspace.create({
    data: { id: workspaceId, name, slug: workspaceId, tier: 'free', settings: {} },
  });
  const content = { status: 'active', config: {}, sealed: '', secretFields: [] };
  await prismaClient().credential.create({ data: { id, workspaceId, name, type, version, ...content } });
  return credential;
}

/** Runs one statement, or several, as a node does. */
export async function ask(
  credential: ServerCredential,
  statement: string | SqlQuery[],
  parameters: Record<string, unknown> = {},
  more: Partial<SqlRunOptions> = {},
): Promise<unknown> {
  const queries = typeof statement === 'string' ? [{ statement, parameters }] : statement;
  const outputs = await runSqlQueries(credential, {
    queries,
    mode: 'rows',
    isTransaction: typeof statement !== 'string' || more.mode !== 'execute',
    timeoutMs: 30_000,
    signal: new AbortController().signal,
    redact: (text) => text,
    context: { reserve: vi.fn<() => Promise<void>>(), parseLarge: async (text) => JSON.parse(text) as unknown },
    ...more,
  });
  return JSON.parse(JSON.stringify(typeof statement === 'string' ? outputs[0] : outputs)) as unknown;
}
