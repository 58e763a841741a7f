import { Option, type Command } from 'commander';
import { connect } from '../config.js';
import { EXIT } from '../failure.js';
import { clean, print, printJson, printTable } from '../output.js';
import { follow, show } from './follow.js';
import { positive } from './workflows.js';

const STATUSES = ['pending', 'running', 'paused', 'completed', 'failed'] as const;
type Status = (typeof STATUSES)[number];

const isJson = (command: Command): boolean => Boolean(command.optsWithGlobals()['json']);

export function addRuns(program: Command): void {
  const runs = program.command('runs').description('runs of workflows');
  runs
    .command('list')
    .description('list the runs, newest first')
    .option('--workflow <id>', 'only runs of this workflow')
    .addOption(new Option('--status <status>', 'only runs with this status').choices(STATUSES))
    .option('--limit <number>', 'at most so many', positive, 20)
    .action(list);
  runs.command('logs <id>').description('show the log of a run').action(logs);
  runs
    .command('watch <id>')
    .description('show what happens in a run until it ends; exit code 1 if it fails')
    .action(watch);
  runs
    .command('rerun <id>')
    .description('run again, and wait for the end')
    .option('--from <node>', 'start from this node; the results of earlier nodes are kept')
    .option('--latest', 'run the last saved version')
    .option('--no-wait', 'do not wait')
    .option('--watch', 'show what happens')
    .option('--timeout <seconds>', 'stop waiting after this time; the run goes on', positive)
    .action(rerun);
}

interface ListOptions {
  workflow?: string;
  status?: Status;
  limit: number;
}

async function list({ workflow, status, limit }: ListOptions, command: Command): Promise<void> {
  const items = [];
  const query = { workflowId: workflow, status };
  for await (const item of connect().all('/api/executions', { query })) {
    if (items.push(item) >= limit) break;
  }
  if (isJson(command)) return printJson(items);
  const rows = items.map((one) => [one.id, one.status, one.trigger, one.startedAt, one.workflowName]);
  printTable([['ID', 'STATUS', 'TRIGGER', 'STARTED', 'WORKFLOW'], ...rows]);
}

async function logs(id: string, _options: object, command: Command): Promise<void> {
  const answer = await connect().runs.logs(id);
  if (isJson(command)) return printJson(answer.logs);
  for (const { timestamp, level, nodeId, nodeName, message } of answer.logs) {
    const own = nodeId !== undefined && message.startsWith(`${nodeId}: `) ? message.slice(nodeId.length + 2) : message;
    // Inside loops several lines have the same name.
    const node = nodeName && nodeId?.includes('].') ? `${nodeName} (${nodeId})` : (nodeName ?? nodeId);
    print([timestamp, level.padEnd(5), ...(node === undefined ? [] : [clean(node)]), clean(own)].join('  '));
  }
}

async function watch(id: string, _options: object, command: Command): Promise<void> {
  const weft = connect();
  await show(weft, id, isJson(command));
  if ((await weft.runs.get(id)).status === 'failed') process.exitCode = EXIT.failed;
}

interface RerunOptions {
  from?: string;
  latest?: boolean;
  wait: boolean;
  watch?: boolean;
  timeout?: number;
}

async function rerun(id: string, { from, latest, ...options }: RerunOptions, command: Command): Promise<void> {
  const weft = connect();
  const { executionId } = await weft.runs.rerun(id, { fromNodeId: from, useLatest: latest });
  await follow(weft, executionId, { ...options, json: isJson(command) });
}
