import { z } from 'zod';
import type { FieldError } from '@/contract/error';
import { NodeFailure } from '@/server/errors/node-failure';
import { runCommand, type CommandResult } from '@/server/remote/command';
import { scriptOf, VARIABLE } from '@/server/remote/script';
import { sentContent, textOf } from './data/sent-content';
import { done, nodeKind, type RunContext } from './node';

type Bag = Record<string, unknown>;

const isBag = (value: unknown): value is Bag => typeof value === 'object' && value !== null && !Array.isArray(value);

/** An expression. Templates of Go, which Docker and others take, are none: `{{.ID}}`, `{{json .}}`, `{{end}}`. */
const EXPRESSION = /\{\{(?!\s*(?:\w+ )?\.|\s*(?:end|else)\s*\}\})/;
const NO_EXPRESSION = 'must not contain {{ }}: use a parameter such as $name';
const NO_NAME = 'must be a name of letters, digits and _';
/** Characters of stderr in the message of a failure: its end tells the reason. */
const MAX_REASON = 300;

/** Expressions cannot become part of a command: values are variables, whose names are not data. */
function issues({ command, parameters }: Bag): FieldError[] {
  const inCommand =
    typeof command === 'string' && EXPRESSION.test(command) ? [{ field: 'command', message: NO_EXPRESSION }] : [];
  if (typeof parameters === 'string')
    return [...inCommand, { field: 'parameters', message: 'must be an object of names and values' }];
  const names = isBag(parameters) ? Object.keys(parameters).filter((name) => !VARIABLE.test(name)) : [];
  return [...inCommand, ...names.map((name) => ({ field: `parameters.${name}`, message: NO_NAME }))];
}

/** The command as written, never as rendered, with the values of its parameters. Throws NodeFailure CONFIG. */
function written({ written: source, config: { parameters = {}, directory } }: RunContext<Config>): string {
  const [issue] = issues(source);
  if (issue) throw new NodeFailure('CONFIG', `config.${issue.field}: ${issue.message}`, false);
  const values = Object.entries(parameters).map(([name, value]) => [name, textOf(value)]);
  return scriptOf(String(source['command']), {
    parameters: Object.fromEntries(values) as Record<string, string>,
    directory,
  });
}

/** `redact`: before the text is cut. */
function exitFailure({ exitCode, signal, stderr }: CommandResult, redact: (text: string) => string): NodeFailure {
  const end = signal === null ? `ended with exit code ${exitCode}` : `was ended by ${signal}`;
  const reason = redact(stderr).trim().slice(-MAX_REASON).toWellFormed();
  return new NodeFailure('EXIT_CODE', `The command ${end}${reason && `: ${reason}`}`);
}

const config = z.strictObject({
  command: z
    .string()
    .max(50_000)
    .optional()
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
  stdin: z.unknown().optional().meta({
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
  failOnError: z.boolean().optional().meta({
    title: 'Fail on error',
    description: 'An exit code other than 0 fails the node.',
    default: true,
  }),
});
type Config = z.output<typeof config>;

export const ssh = nodeKind({
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
  config,
  required: ['command'],
  issues,
  expressions: [],
  literals: ['command', 'failOnError'],
  largeFields: ['stdin'],
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
      room,
      log,
    } = context;
    if (!credential) throw new NodeFailure('CREDENTIAL_MISSING', 'The node needs a credential.', false);
    const script = written(context);
    const input = stdin === undefined ? undefined : await sentContent(stdin, files);
    await room();
    const redact = (text: string) => secrets.text(text);
    const result = await runCommand(credential.credential, { signal, redact }, { script, stdin: input }, reserve);
    log('info', `The command ended with ${result.signal ?? `exit code ${result.exitCode}`}`);
    if (failOnError && result.exitCode !== 0) throw exitFailure(result, redact);
    return done(result);
  },
});
