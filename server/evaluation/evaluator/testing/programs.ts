import { isLargeJson } from '@/server/evaluation/expressions/large-json';
import { PURPOSE } from '@/server/testing/evaluation';
import { runProgram, type UserProgram } from '../evaluation';
import type { CodeLanguage } from '../jobs';

const PROGRAM = {
  nodes: { a: { n: 1 } },
  execution: { id: 'exec_1' },
  vars: { REGION: 'eu' },
  timeZone: 'Europe/Berlin',
  cpuMs: 5000,
  memoryBytes: 64 * 1024 * 1024,
  secrets: [],
};

/** Runs programs of a language as a code node does. */
export function programs(language: CodeLanguage) {
  /** The outcome of a program; a failure with its fields on top. */
  async function run(source: string, input: unknown = {}, more: Partial<UserProgram> = {}) {
    const finished = await runProgram({ ...PROGRAM, language, source, input, ...more }, PURPOSE);
    return finished.ok ? finished : { ...finished, ...finished.failure };
  }

  /** The result of a program. Throws if it fails. */
  async function value(source: string, input?: unknown): Promise<unknown> {
    const finished = await run(source, input);
    if (!finished.ok) throw new Error(`${finished.code} ${finished.message}`);
    return isLargeJson(finished.value) ? (JSON.parse(finished.value.text) as unknown) : finished.value;
  }

  return { run, value };
}
