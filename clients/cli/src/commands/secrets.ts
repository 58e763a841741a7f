import { WeftError } from '@weft/client';
import type { Command } from 'commander';
import { connectClient } from '../config.js';
import { parseJsonInput, readJsonObjectOption, readStandardInput } from '../input.js';
import { printLine, printJson, printTextTable } from '../output.js';

/** Variables and credentials: their names are listed, their values are read from standard input and never printed. */
export function addSecretCommands(program: Command): void {
  const secrets = program.command('secrets').description('variables and credentials: names, and new values');
  secrets.command('list').description('list the names').action(printSecretNames);
  secrets
    .command('set <name>')
    .description('set a variable to the text of standard input')
    .option('--parse', 'the text is JSON')
    .action(setVariableFromInput);
  secrets
    .command('set-credential <id>')
    .description('replace the config of a credential by the JSON object of standard input')
    .action(setCredentialFromInput);
}

async function printSecretNames(_options: object, command: Command): Promise<void> {
  const weft = connectClient();
  const names: { kind: string; id: string; name: string; type: string }[] = [];
  for await (const { name } of weft.all('/api/variables')) names.push({ kind: 'variable', id: name, name, type: '' });
  for await (const { id, name, type } of weft.all('/api/credentials'))
    names.push({ kind: 'credential', id, name, type });
  if (command.optsWithGlobals()['json']) return printJson(names);
  printTextTable([['KIND', 'ID', 'TYPE', 'NAME'], ...names.map(({ kind, id, type, name }) => [kind, id, type, name])]);
}

async function setVariableFromInput(name: string, { parse }: { parse?: boolean }): Promise<void> {
  const text = await readStandardInput();
  const value: unknown = parse ? parseJsonInput(text, 'Standard input') : text;
  const weft = connectClient();
  try {
    await weft.put('/api/variables/{name}', { path: { name }, body: { value } });
    printLine(`${name} changed`);
  } catch (error) {
    if (!(error instanceof WeftError && error.status === 404)) throw error;
    await weft.post('/api/variables', { body: { name, value } });
    printLine(`${name} created`);
  }
}

async function setCredentialFromInput(id: string): Promise<void> {
  const config = await readJsonObjectOption('-');
  await connectClient().put('/api/credentials/{id}', { path: { id }, body: { config } });
  printLine(`${id} changed`);
}
