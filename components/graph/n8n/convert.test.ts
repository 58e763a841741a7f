import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { PURPOSE, useEvaluation } from '@/server/testing/evaluation';
import { definitionIssues } from '@/server/workflow/definition';
import { importN8n, type ImportedWorkflow } from './convert';

const FOLDER = path.join(import.meta.dirname, 'fixtures');
const fixture = (name: string): ImportedWorkflow =>
  importN8n(JSON.parse(readFileSync(path.join(FOLDER, `${name}.json`), 'utf8')));
const NAMES = readdirSync(FOLDER).map((file) => file.replace('.json', ''));
useEvaluation();

describe('exports of n8n', () => {
  it.each(NAMES)('“%s” becomes a valid workflow', async (name) => {
    const { definition } = fixture(name);
    expect(await definitionIssues(definition, PURPOSE)).toEqual([]);
  });
});
