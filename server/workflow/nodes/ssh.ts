import { z } from 'zod';
import type { FieldIssue } from '@/contract/error-response';
import { createConfigFailure, createNodeFailure, type NodeFailure } from '@/server/platform/errors/node-failure';
import { runRemoteCommand, type RemoteCommandResult } from '@/server/network/remote/command';
import { buildCommandScript, SHELL_VARIABLE_PATTERN } from '@/server/network/remote/script';
import { openOutgoingContent, valueToText } from './data/sent-content';
import { completeNode, defineNodeType, type NodeRunContext } from './node-type';
import { literalField, largeValueField, requiredField } from './field-traits';

type SshConfigObject = Record<string, unknown>;

const isSshConfigObject = (value: unknown): value is SshConfigObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An expression. Templates of Go, which Docker and others take, are none: `{{.ID}}`, `{{json .}}`, `{{end}}`. */
const COMMAND_EXPRESSION = /\{\{(?!\s*(?:\w+ )?\.|\s*(?:end|else)\s*\}\})/;
const NO_COMMAND_EXPRESSION = 'must not contain {{ }}: use a parameter such as $name';
const NO_VARIABLE_NAME = 'must be a name of letters, digits and _';
/** The message of a failure has this many characters of stderr, whose end tells the reason. */
const MAX_STDERR_REASON = 300;

/** Expressions cannot become part of a command: values are variables, whose names are not data. */
function findSshIssues({ command, parameters }: SshConfigObject): FieldIssue[] {
  const inCommand =
    typeof command === 'string' && COMMAND_EXPRESSION.test(command)
      ? [{ field: 'command', message: NO_COMMAND_EXPRESSION }]
      : [];
  if (typeof parameters === 'string')
    return [...inCommand, { field: 'parameters', message: 'must be an object of names and values' }];
  const names = isSshConfigObject(parameters)
    ? Object.keys(parameters).filter((name) => !SHELL_VARIABLE_PATTERN.test(name))
    : [];
  return [...inCommand, ...names.map((name) => ({ field: `parameters.${name}`, message: NO_VARIABLE_NAME }))];
}

/** The command as written, never as rendered, with the values of its parameters. Throws NodeFailure CONFIG. */
function buildSshScript({
  written: source,
  config: { parameters = {}, directory },
}: NodeRunContext<SshConfig>): string {
  const [issue] = findSshIssues(source);
  if (issue) throw createConfigFailure(issue.field, issue.message);
  const values = Object.entries(parameters).map(([name, value]) => [name, valueToText(value)]);
  return buildCommandScript(String(source['command']), {
    parameters: Object.fromEntries(values) as Record<string, string>,
    directory,
  });
}

/** `redact` is called before the text is cut, because half of a secret would not be found later. */
function exitCodeFailure(
  { exitCode, signal, stderr }: RemoteCommandResult,
  redact: (text: string) => string,
): NodeFailure {
  const reason = redact(stderr).trim().slice(-MAX_STDERR_REASON).toWellFormed() || undefined;
  const end = signal === null ? { exitCode: exitCode ?? undefined } : { signal };
  return createNodeFailure('EXIT_CODE', { ...end, reason }, { isRetriable: true });
}

const sshConfig = z.strictObject({
  command: z
    .string()
    .max(50_000)
    .optional()
    .apply(literalField)
    .apply(requiredField)
    .meta({
      title: 'Command',
      description: 'Values stand as shell variables, such as "$name"; {{ }} is not permitted here.',
      examples: ['tar -czf "$name.tar.gz" -- "$folder"'],
      'x-editor': 'shell',
    }),
  parameters: z.record(z.string(), z.unknown()).optional().meta({
    title: 'Parameters',
    description: 'The value of each variable. It never becomes a part of the command.',
    'x-editor': 'pairs',
  }),
  stdin: z.unknown().optional().apply(largeValueField).meta({
    title: 'Standard input',
    description: 'What the command reads: a text, a value as JSON, or the value of a file.',
    'x-editor': 'json',
  }),
  directory: z
    .string()
    .max(4096)
    .optional()
    .meta({
      title: 'Folder',
      description: 'Where the command runs. Default: the home folder of the user.',
      examples: ['/var/www'],
    }),
  failOnError: z.boolean().optional().apply(literalField).meta({
    title: 'Fail on error',
    description: 'An exit code other than 0 fails the node.',
    default: true,
  }),
});
type SshConfig = z.output<typeof sshConfig>;

export const sshNodeType = defineNodeType({
  type: 'ssh',
  title: 'SSH command',
  summary: 'Runs a command on a server, and outputs what it prints and its exit code.',
  synonyms: [
    'ssh',
    'server',
    'remote',
    'shell',
    'bash',
    'execute command',
    'run command',
    'linux',
    'unix',
    'terminal',
    'deploy',
  ],
  category: 'action',
  config: sshConfig,
  issues: findSshIssues,
  hasInput: true,
  seesInput: false,
  outputs: ['output'],
  credentialTypes: ['ssh'],
  needsCredential: true,
  isOutside: true,
  isOnce: true,
  tool: {},
  async run(context) {
    const {
      config: { stdin, failOnError = true },
      credential,
      files,
      secrets,
      signal,
      reserve,
      waitForSlot: room,
      log,
    } = context;
    if (!credential) throw createNodeFailure('CREDENTIAL_MISSING', { subject: 'The node' });
    const script = buildSshScript(context);
    const input = stdin === undefined ? undefined : await openOutgoingContent(stdin, files);
    await room();
    const redact = (text: string) => secrets.text(text);
    const result = await runRemoteCommand(credential.credential, { signal, redact }, { script, stdin: input }, reserve);
    log('info', `The command ended with ${result.signal ?? `exit code ${result.exitCode}`}`);
    if (failOnError && result.exitCode !== 0) throw exitCodeFailure(result, redact);
    return completeNode(result);
  },
});
