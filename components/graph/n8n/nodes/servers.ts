import type { Conversion, Made, Piece } from '../conversion';
import { textOf, valueOf } from '../conversion';
import { bag } from '../file';
import { isExpression, type Expressions } from '../text';
import type { Convert } from './flow';
import { needsCredential } from './http';

const MAX_COMMAND = 50_000;
const MAX_PATH = 4096;

/** The quote that is open at the end of a text of a shell. `open`: the one at its beginning. */
function quoteAfter(text: string, open: string): string {
  let quote = open;
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charAt(index);
    if (character === '\\' && quote !== "'") index += 1;
    else if (quote === character) quote = '';
    else if (quote === '' && (character === '"' || character === "'")) quote = character;
  }
  return quote;
}

/** A variable between the quotes that are open: it stays one word. */
const variable = (name: string, quote: string): string =>
  quote === '"' ? `\${${name}}` : quote === "'" ? `'"\${${name}}"'` : `"\${${name}}"`;

/** Replaces the expressions of a command by variables, so that no value becomes a part of it. */
function bound(command: string, expressions: Expressions): { command: string; parameters?: Record<string, unknown> } {
  if (!isExpression(command)) return { command };
  const parameters: Record<string, unknown> = {};
  let text = '';
  let quote = '';
  let at = 1;
  for (let open = command.indexOf('{{', at); open !== -1; open = command.indexOf('{{', at)) {
    const end = command.indexOf('}}', open);
    if (end === -1) break;
    const before = command.slice(at, open);
    quote = quoteAfter(before, quote);
    const name = `p${Object.keys(parameters).length + 1}`;
    parameters[name] = valueOf(`=${command.slice(open, end + 2)}`, expressions);
    text += before + variable(name, quote);
    at = end + 2;
  }
  const whole = text + command.slice(at);
  return Object.keys(parameters).length > 0 ? { command: whole, parameters } : { command: whole };
}

/** A path of the account: n8n writes the home folder as `~`. */
const pathOf = (conversion: Conversion, given: unknown, expressions: Expressions): string | undefined =>
  conversion.limited(textOf(given, expressions)?.replace(/^~\/?/, ''), MAX_PATH);

function command(conversion: Conversion): Piece {
  const { command: source, cwd } = conversion.node.parameters;
  conversion.say('n8n calls the exit code “code”, Weft “exitCode”.');
  return conversion.each((expressions) => {
    const made = typeof source === 'string' && source !== '' ? bound(source, expressions) : undefined;
    const isWritten = made && !made.command.includes('{{') && made.command.length <= MAX_COMMAND;
    if (!isWritten) conversion.todo('Write its command.');
    if (made?.parameters) conversion.todo('Check its command: expressions became variables of the shell.');
    return {
      type: 'ssh',
      config: {
        ...(isWritten ? made : {}),
        directory: pathOf(conversion, cwd, expressions) || undefined,
        failOnError: false,
      },
    };
  });
}

/** The parts of a transfer, from the parameters of the node. */
type Transfer = (conversion: Conversion, expressions: Expressions) => Made;

const made = (config: Record<string, unknown>, path = ''): Made => ({ type: 'file_transfer', config, path });

const download: Transfer = (conversion, expressions) => {
  conversion.say('Its output is the value of the file.');
  const path = pathOf(conversion, conversion.node.parameters['path'], expressions);
  return made({ operation: 'download', path }, '.file');
};

/** n8n keeps files apart from fields. */
function incoming(conversion: Conversion, { scope }: Expressions): string {
  conversion.todo('Check that the file comes in.');
  return `{{ ${scope.json} }}`;
}

/** SSH nodes of n8n name the folder, and the file has a name of its own. */
const uploadInto: Transfer = (conversion, expressions) => {
  const { path, options } = conversion.node.parameters;
  const folder = pathOf(conversion, path, expressions)?.replace(/\/+$/, '') ?? '';
  const name = textOf(bag(options)['fileName'], expressions) ?? `{{ ${expressions.scope.json}.name }}`;
  return made({ operation: 'upload', path: `${folder}/${name}`, content: incoming(conversion, expressions) });
};

const OPERATIONS: Readonly<Record<string, Transfer>> = {
  download,
  upload(conversion, expressions) {
    const { path, binaryData = true, fileContent } = conversion.node.parameters;
    const content = binaryData === true ? incoming(conversion, expressions) : (textOf(fileContent, expressions) ?? '');
    return made({ operation: 'upload', path: pathOf(conversion, path, expressions), content, makeFolders: true });
  },
  list(conversion, expressions) {
    const { path, recursive } = conversion.node.parameters;
    conversion.say('A type is file, folder, link or other, and the time is “modifiedAt”.');
    if (recursive === true) conversion.todo('Folders inside of the folder are not listed.');
    return made({ operation: 'list', path: pathOf(conversion, path, expressions) });
  },
  delete(conversion, expressions) {
    const { path, options } = conversion.node.parameters;
    if (bag(options)['recursive'] === true) conversion.todo('It deletes empty folders only.');
    return made({ operation: 'delete', path: pathOf(conversion, path, expressions) });
  },
  rename(conversion, expressions) {
    const { oldPath, newPath, options } = conversion.node.parameters;
    return made({
      operation: 'move',
      path: pathOf(conversion, oldPath, expressions),
      to: pathOf(conversion, newPath, expressions),
      ...(bag(options)['createDirectories'] === true ? { makeFolders: true } : {}),
    });
  },
};

const ssh: Convert = (conversion) => {
  const { resource = 'command', operation } = conversion.node.parameters;
  needsCredential(conversion, 'its credential for SSH');
  if (resource !== 'file') return command(conversion);
  const transfer = operation === 'upload' ? uploadInto : download;
  return conversion.each((expressions) => transfer(conversion, expressions));
};

const ftp: Convert = (conversion) => {
  const { protocol = 'ftp', operation = 'download' } = conversion.node.parameters;
  const transfer = Object.hasOwn(OPERATIONS, String(operation)) ? OPERATIONS[String(operation)] : undefined;
  if (!transfer) return conversion.placeholder('Choose an operation in a file transfer node.');
  needsCredential(conversion, protocol === 'sftp' ? 'its credential for SSH' : 'its credential for FTP');
  return conversion.each((expressions) => transfer(conversion, expressions), operation === 'list');
};

export const SERVERS: Readonly<Record<string, Convert>> = { ssh, ftp };
