import { writeFileSync } from 'node:fs';
import type { Weft } from '@weft/client';
import type { Command } from 'commander';
import { connect } from '../config.js';
import { EXIT, Failure } from '../failure.js';
import { junitXml, sentenceOf, type TestCase, type TestSuite } from '../junit.js';
import { clean, note, print, printJson } from '../output.js';
import { positive, workflowIdOf } from './workflows.js';

/** The time that a test, or a replay, may take. */
const LIMIT_MS = 600_000;

export function addTests(program: Command): void {
  program
    .command('test <workflow...>')
    .description('run the tests of workflows, named by ids or files; exit code 1 if one fails')
    .option('--junit <file>', 'write the results as JUnit XML')
    .option('--published', 'test the published version, not the last saved one')
    .action(test);
  program
    .command('replay <workflow>')
    .description('replay the latest runs on the last saved version; exit code 1 if one differs')
    .option('--limit <number>', 'at most so many, up to 50', positive, 10)
    .action(replay);
}

async function test(
  names: string[],
  { junit, published }: { junit?: string; published?: boolean },
  command: Command,
): Promise<void> {
  const weft = connect();
  const isJson = Boolean(command.optsWithGlobals()['json']);
  const suites: TestSuite[] = [];
  for (const name of names) suites.push(await suiteOf(weft, workflowIdOf(name), published !== true, !isJson));
  report(suites, { junit, isJson });
}

/** Prints or writes the results of tests, and sets the exit code. */
export function report(suites: TestSuite[], { junit, isJson }: { junit: string | undefined; isJson: boolean }): void {
  const cases = suites.flatMap((suite) => suite.cases);
  const failed = cases.filter(({ result }) => result.status !== 'passed').length;
  if (junit !== undefined) writeFileSync(junit, junitXml(suites));
  if (isJson) printJson(suites);
  else print(`${cases.length - failed} passed, ${failed} failed`);
  if (cases.length === 0) note('The workflows have no tests.');
  process.exitCode = failed > 0 ? EXIT.failed : EXIT.ok;
}

/** Runs the tests of one workflow, one after another. */
export async function suiteOf(weft: Weft, id: string, useLatest: boolean, isTold: boolean): Promise<TestSuite> {
  const workflow = await weft.workflows.get(id);
  const cases: TestCase[] = [];
  for await (const { id: testId, name } of weft.all('/api/workflows/{id}/tests', { path: { id } })) {
    const startedAt = Date.now();
    const path = { id, testId };
    let result = await weft.post('/api/workflows/{id}/tests/{testId}/run', { path, body: { useLatest } });
    if (result.status === 'running') {
      const { executionId } = result;
      await weft.runs.wait(executionId, { timeoutMs: LIMIT_MS });
      result = await weft.get('/api/workflows/{id}/tests/{testId}/runs/{executionId}', {
        path: { ...path, executionId },
      });
    }
    cases.push({ name, seconds: (Date.now() - startedAt) / 1000, result });
    if (!isTold) continue;
    print(`${result.status === 'passed' ? 'ok    ' : 'FAILED'}  ${clean(workflow.name)}: ${clean(name)}`);
    for (const failure of result.failures) print(`        ${clean(sentenceOf(failure))}`);
    if (result.status === 'running') print('        It has not ended in time.');
  }
  return { name: workflow.name, cases };
}

async function replay(name: string, { limit }: { limit: number }, command: Command): Promise<void> {
  if (!Number.isInteger(limit) || limit > 50) throw new Failure('--limit is a whole number up to 50.', EXIT.usage);
  const id = workflowIdOf(name);
  const weft = connect();
  const { data: started } = await weft.post('/api/workflows/{id}/replays', { path: { id }, body: { limit } });
  const data = [];
  for (const one of started) {
    if (one.status === 'running') await weft.runs.wait(one.replayId, { timeoutMs: LIMIT_MS });
    const path = { id, executionId: one.replayId };
    data.push(one.status === 'running' ? await weft.get('/api/workflows/{id}/replays/{executionId}', { path }) : one);
  }
  if (command.optsWithGlobals()['json']) printJson(data);
  else
    for (const { executionId, replayId, status, differences } of data) {
      print(`${status.padEnd(9)}  ${executionId}  ${replayId}`);
      for (const { nodeId, change } of differences)
        print(`           ${clean(nodeId)}: ${change.replaceAll('_', ' ')}`);
    }
  process.exitCode = data.every(({ status }) => status === 'same') ? EXIT.ok : EXIT.failed;
}
