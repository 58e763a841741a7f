import { writeFileSync } from 'node:fs';
import type { Weft } from '@weft/client';
import type { Command } from 'commander';
import { connectClient } from '../config.js';
import { EXIT_CODES, CommandFailure } from '../failure.js';
import { formatJunitXml, expectationSentence, type JunitTestCase, type JunitTestSuite } from '../junit.js';
import { toPlainLine, printErrorLine, printLine, printJson } from '../output.js';
import { parsePositiveNumber, resolveWorkflowId } from './workflows.js';

/** A test or a replay may take this long. */
const TEST_TIME_LIMIT_MS = 600_000;

export function addTestCommands(program: Command): void {
  program
    .command('test <workflow...>')
    .description('run the tests of workflows, named by ids or files; exit code 1 if one fails')
    .option('--junit <file>', 'write the results as JUnit XML')
    .option('--published', 'test the published version, not the last saved one')
    .action(runTestCommand);
  program
    .command('replay <workflow>')
    .description('replay the latest runs on the last saved version; exit code 1 if one differs')
    .option('--limit <number>', 'at most so many, up to 50', parsePositiveNumber, 10)
    .action(runReplayCommand);
}

async function runTestCommand(
  names: string[],
  { junit, published }: { junit?: string; published?: boolean },
  command: Command,
): Promise<void> {
  const weft = connectClient();
  const isJson = Boolean(command.optsWithGlobals()['json']);
  const suites: JunitTestSuite[] = [];
  for (const name of names)
    suites.push(await runWorkflowTests(weft, resolveWorkflowId(name), published !== true, !isJson));
  reportTestResults(suites, { junit, isJson });
}

/** Prints or writes the results of tests, and sets the exit code. */
export function reportTestResults(
  suites: JunitTestSuite[],
  { junit, isJson }: { junit: string | undefined; isJson: boolean },
): void {
  const cases = suites.flatMap((suite) => suite.cases);
  const failed = cases.filter(({ result }) => result.status !== 'passed').length;
  if (junit !== undefined) writeFileSync(junit, formatJunitXml(suites));
  if (isJson) printJson(suites);
  else printLine(`${cases.length - failed} passed, ${failed} failed`);
  if (cases.length === 0) printErrorLine('The workflows have no tests.');
  process.exitCode = failed > 0 ? EXIT_CODES.failed : EXIT_CODES.ok;
}

/** Runs the tests of one workflow, one after another. */
export async function runWorkflowTests(
  weft: Weft,
  id: string,
  useLatest: boolean,
  isTold: boolean,
): Promise<JunitTestSuite> {
  const workflow = await weft.workflows.get(id);
  const cases: JunitTestCase[] = [];
  for await (const { id: testId, name } of weft.all('/api/workflows/{id}/tests', { path: { id } })) {
    const startedAt = Date.now();
    const path = { id, testId };
    let result = await weft.post('/api/workflows/{id}/tests/{testId}/run', { path, body: { useLatest } });
    if (result.status === 'running') {
      const { executionId } = result;
      await weft.runs.wait(executionId, { timeoutMs: TEST_TIME_LIMIT_MS });
      result = await weft.get('/api/workflows/{id}/tests/{testId}/runs/{executionId}', {
        path: { ...path, executionId },
      });
    }
    cases.push({ name, seconds: (Date.now() - startedAt) / 1000, result });
    if (!isTold) continue;
    printLine(
      `${result.status === 'passed' ? 'ok    ' : 'FAILED'}  ${toPlainLine(workflow.name)}: ${toPlainLine(name)}`,
    );
    for (const failure of result.failures) printLine(`        ${toPlainLine(expectationSentence(failure))}`);
    if (result.status === 'running') printLine('        It has not ended in time.');
  }
  return { name: workflow.name, cases };
}

async function runReplayCommand(name: string, { limit }: { limit: number }, command: Command): Promise<void> {
  if (!Number.isInteger(limit) || limit > 50)
    throw new CommandFailure('--limit is a whole number up to 50.', EXIT_CODES.usage);
  const id = resolveWorkflowId(name);
  const weft = connectClient();
  const { data: started } = await weft.post('/api/workflows/{id}/replays', { path: { id }, body: { limit } });
  const data = [];
  for (const one of started) {
    if (one.status === 'running') await weft.runs.wait(one.replayId, { timeoutMs: TEST_TIME_LIMIT_MS });
    const path = { id, executionId: one.replayId };
    data.push(one.status === 'running' ? await weft.get('/api/workflows/{id}/replays/{executionId}', { path }) : one);
  }
  if (command.optsWithGlobals()['json']) printJson(data);
  else
    for (const { executionId, replayId, status, differences } of data) {
      printLine(`${status.padEnd(9)}  ${executionId}  ${replayId}`);
      for (const { nodeId, change } of differences)
        printLine(`           ${toPlainLine(nodeId)}: ${change.replaceAll('_', ' ')}`);
    }
  process.exitCode = data.every(({ status }) => status === 'same') ? EXIT_CODES.ok : EXIT_CODES.failed;
}
