import { Option, type Command } from 'commander';
import { connectClient } from '../config.js';
import { EXIT_CODES } from '../failure.js';
import { toPlainLine, printLine, printJson, printTextTable } from '../output.js';
import { followRun, printRunEvents } from './follow.js';
import { parsePositiveNumber } from './workflows.js';

const RUN_STATUSES = ['pending', 'running', 'paused', 'completed', 'failed'] as const;
type RunStatusOption = (typeof RUN_STATUSES)[number];

const wantsJson = (command: Command): boolean => Boolean(command.optsWithGlobals()['json']);

export function addRunCommands(program: Command): void {
  const runs = program.command('runs').description('runs of workflows');
  runs
    .command('list')
    .description('list the runs, newest first')
    .option('--workflow <id>', 'only runs of this workflow')
    .addOption(new Option('--status <status>', 'only runs with this status').choices(RUN_STATUSES))
    .option('--limit <number>', 'at most so many', parsePositiveNumber, 20)
    .action(printRuns);
  runs.command('logs <id>').description('show the log of a run').action(printRunLog);
  runs
    .command('watch <id>')
    .description('show what happens in a run until it ends; exit code 1 if it fails')
    .action(watchRun);
  runs
    .command('rerun <id>')
    .description('run again, and wait for the end')
    .option('--from <node>', 'start from this node; the results of earlier nodes are kept')
    .option('--latest', 'run the last saved version')
    .option('--no-wait', 'do not wait')
    .option('--watch', 'show what happens')
    .option('--timeout <seconds>', 'stop waiting after this time; the run goes on', parsePositiveNumber)
    .action(rerunAndFollow);
}

interface ListRunsOptions {
  workflow?: string;
  status?: RunStatusOption;
  limit: number;
}

async function printRuns({ workflow, status, limit }: ListRunsOptions, command: Command): Promise<void> {
  const items = [];
  const query = { workflowId: workflow, status };
  for await (const item of connectClient().all('/api/executions', { query })) {
    if (items.push(item) >= limit) break;
  }
  if (wantsJson(command)) return printJson(items);
  const rows = items.map((one) => [one.id, one.status, one.trigger, one.startedAt, one.workflowName]);
  printTextTable([['ID', 'STATUS', 'TRIGGER', 'STARTED', 'WORKFLOW'], ...rows]);
}

async function printRunLog(id: string, _options: object, command: Command): Promise<void> {
  const answer = await connectClient().runs.logs(id);
  if (wantsJson(command)) return printJson(answer.logs);
  for (const { timestamp, level, nodeId, nodeName, message } of answer.logs) {
    const own = nodeId !== undefined && message.startsWith(`${nodeId}: `) ? message.slice(nodeId.length + 2) : message;
    // Inside loops several lines have the same name.
    const node = nodeName && nodeId?.includes('].') ? `${nodeName} (${nodeId})` : (nodeName ?? nodeId);
    printLine(
      [timestamp, level.padEnd(5), ...(node === undefined ? [] : [toPlainLine(node)]), toPlainLine(own)].join('  '),
    );
  }
}

async function watchRun(id: string, _options: object, command: Command): Promise<void> {
  const weft = connectClient();
  await printRunEvents(weft, id, wantsJson(command));
  if ((await weft.runs.get(id)).status === 'failed') process.exitCode = EXIT_CODES.failed;
}

interface RerunOptions {
  from?: string;
  latest?: boolean;
  wait: boolean;
  watch?: boolean;
  timeout?: number;
}

async function rerunAndFollow(id: string, { from, latest, ...options }: RerunOptions, command: Command): Promise<void> {
  const weft = connectClient();
  const { executionId } = await weft.runs.rerun(id, { fromNodeId: from, useLatest: latest });
  await followRun(weft, executionId, { ...options, json: wantsJson(command) });
}
