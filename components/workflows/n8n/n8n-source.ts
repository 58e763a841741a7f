import { parseExactJson } from '@/contract/exact-json';
import type { N8nImportPlan } from '@/import/n8n/plan';

/** A workflow of n8n in the list of the page. */
export interface ListedN8nWorkflow {
  /** Of the row. */
  key: string;
  name: string;
  /** Without runs; undefined: it cannot be imported. */
  plan: N8nImportPlan | undefined;
  /** Why it cannot be imported. */
  reason: string;
  /** The id of the workflow that an earlier import made of it. */
  importedId?: string | undefined;
  value: unknown;
}

/** Files of one import may have so many bytes together. */
const MAX_FILES_BYTES = 200 * 1024 * 1024;

/** Converts workflows for the list. */
export async function listConvertedWorkflows(
  values: readonly unknown[],
  about: { url: string | null; otherName: string; from: number; importedIds?: ReadonlyMap<string, string> },
): Promise<ListedN8nWorkflow[]> {
  const { planN8nImport } = await import('@/import/n8n/plan');
  return values.map((value, index) => {
    const { id, name } = (value ?? {}) as { id?: unknown; name?: unknown };
    const key = `${about.from + index} ${String(id)}`;
    const shown = typeof name === 'string' && name.trim() !== '' ? name : about.otherName;
    try {
      const importedId = about.importedIds?.get(String(id));
      return { key, name: shown, plan: planN8nImport(value, { url: about.url }), reason: '', value, importedId };
    } catch (error) {
      const reason = error instanceof Error ? error.message : 'It can not be imported.';
      return { key, name: shown, plan: undefined, reason, value };
    }
  });
}

/** The workflows of n8n in files: single ones, lists and backups. Throws an error with a sentence for people. */
export async function readN8nFiles(files: readonly File[]): Promise<ListedN8nWorkflow[]> {
  if (files.reduce((sum, { size }) => sum + size, 0) > MAX_FILES_BYTES)
    throw new Error('The files are larger than 200 MB together.');
  const { listN8nWorkflows } = await import('@/import/n8n/plan');
  const listed: ListedN8nWorkflow[] = [];
  for (const file of files.filter(({ name }) => /\.json$/i.test(name))) {
    const otherName = file.name.replace(/\.json$/i, '') || 'Imported';
    const from = listed.length;
    try {
      const found = listN8nWorkflows(parseExactJson(await file.text()));
      listed.push(...(await listConvertedWorkflows(found, { url: null, otherName, from })));
    } catch {
      listed.push({
        key: `${from} ${file.name}`,
        name: file.name,
        plan: undefined,
        reason: 'It is no JSON.',
        value: null,
      });
    }
  }
  if (listed.length === 0) throw new Error('There is no workflow of n8n in these files.');
  return listed;
}
