import {
  type NodeConversion,
  type WeftNodeConfig,
  type ConvertedCall,
  parameterText,
  parameterValue,
  type NodeConverter,
} from '../conversion';
import { asN8nObject } from '../file';
import { isN8nExpression, type NodeExpressions } from '../n8n-expressions';
import { addCredentialTodo } from './http';
import { incomingFile } from './incoming-file';

const MAX_COMMAND_LENGTH = 50_000;
const MAX_REMOTE_PATH = 4096;

/** The quote that is open at the end of a text of a shell. `open`: the one at its beginning. */
function openQuoteAfter(text: string, open: string): string {
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
const shellVariable = (name: string, quote: string): string =>
  quote === '"' ? `\${${name}}` : quote === "'" ? `'"\${${name}}"'` : `"\${${name}}"`;

/** Replaces the expressions of a command by variables, so that no value becomes a part of it. */
function bindShellVariables(
  command: string,
  expressions: NodeExpressions,
): { command: string; parameters?: Record<string, unknown> } {
  if (!isN8nExpression(command)) return { command };
  const parameters: Record<string, unknown> = {};
  let text = '';
  let quote = '';
  let at = 1;
  for (let open = command.indexOf('{{', at); open !== -1; open = command.indexOf('{{', at)) {
    const end = command.indexOf('}}', open);
    if (end === -1) break;
    const before = command.slice(at, open);
    quote = openQuoteAfter(before, quote);
    const name = `p${Object.keys(parameters).length + 1}`;
    parameters[name] = parameterValue(`=${command.slice(open, end + 2)}`, expressions);
    text += before + shellVariable(name, quote);
    at = end + 2;
  }
  const whole = text + command.slice(at);
  return Object.keys(parameters).length > 0 ? { command: whole, parameters } : { command: whole };
}

/** A path of the account: n8n writes the home folder as `~`. */
const remoteFilePath = (conversion: NodeConversion, given: unknown, expressions: NodeExpressions): string | undefined =>
  conversion.limitText(parameterText(given, expressions)?.replace(/^~\/?/, ''), MAX_REMOTE_PATH);

function convertSshCommand(conversion: NodeConversion): ConvertedCall {
  const { command: source, cwd } = conversion.node.parameters;
  conversion.addRemark('n8n calls the exit code “code”, Weft “exitCode”.');
  const { expressions } = conversion;
  const made = typeof source === 'string' && source !== '' ? bindShellVariables(source, expressions) : undefined;
  const isWritten = made && !made.command.includes('{{') && made.command.length <= MAX_COMMAND_LENGTH;
  if (!isWritten) conversion.addTodo('Write its command.');
  if (made?.parameters) conversion.addTodo('Check its command: expressions became variables of the shell.');
  return conversion.createCall({
    type: 'ssh',
    config: {
      ...(isWritten ? made : {}),
      directory: remoteFilePath(conversion, cwd, expressions) || undefined,
      failOnError: false,
    },
  });
}

/** The parts of a transfer, from the parameters of the node. */
type TransferConverter = (conversion: NodeConversion, expressions: NodeExpressions) => WeftNodeConfig;

const fileTransferConfig = (config: Record<string, unknown>, path = ''): WeftNodeConfig => ({
  type: 'file_transfer',
  config,
  path,
});

const convertDownload: TransferConverter = (conversion, expressions) => {
  const path = remoteFilePath(conversion, conversion.node.parameters['path'], expressions);
  return fileTransferConfig({ operation: 'download', path }, '.file');
};

/** The name of the file that comes in. */
const incomingFileName = (conversion: NodeConversion, expressions: NodeExpressions): string =>
  incomingFile(conversion, expressions).replace(/ \}\}$/, '?.name }}');

/** SSH nodes of n8n name the folder, and the file has a name of its own. */
const convertUploadInto: TransferConverter = (conversion, expressions) => {
  const { path, options } = conversion.node.parameters;
  const folder = remoteFilePath(conversion, path, expressions)?.replace(/\/+$/, '') ?? '';
  const name =
    parameterText(asN8nObject(options)['fileName'], expressions) ?? incomingFileName(conversion, expressions);
  return fileTransferConfig({
    operation: 'upload',
    path: `${folder}/${name}`,
    content: incomingFile(conversion, expressions),
  });
};

const TRANSFER_OPERATIONS: Readonly<Record<string, TransferConverter>> = {
  download: convertDownload,
  upload(conversion, expressions) {
    const { path, binaryData = true, fileContent } = conversion.node.parameters;
    const content =
      binaryData === true ? incomingFile(conversion, expressions) : (parameterText(fileContent, expressions) ?? '');
    return fileTransferConfig({
      operation: 'upload',
      path: remoteFilePath(conversion, path, expressions),
      content,
      makeFolders: true,
    });
  },
  list(conversion, expressions) {
    const { path, recursive } = conversion.node.parameters;
    conversion.addRemark('A type is file, folder, link or other, and the time is “modifiedAt”.');
    if (recursive === true) conversion.addTodo('Folders inside of the folder are not listed.');
    return fileTransferConfig({ operation: 'list', path: remoteFilePath(conversion, path, expressions) });
  },
  delete(conversion, expressions) {
    const { path, options } = conversion.node.parameters;
    if (asN8nObject(options)['recursive'] === true) conversion.addTodo('It deletes empty folders only.');
    return fileTransferConfig({ operation: 'delete', path: remoteFilePath(conversion, path, expressions) });
  },
  rename(conversion, expressions) {
    const { oldPath, newPath, options } = conversion.node.parameters;
    return fileTransferConfig({
      operation: 'move',
      path: remoteFilePath(conversion, oldPath, expressions),
      to: remoteFilePath(conversion, newPath, expressions),
      ...(asN8nObject(options)['createDirectories'] === true ? { makeFolders: true } : {}),
    });
  },
};

const convertSsh: NodeConverter = (conversion) => {
  const { resource = 'command', operation } = conversion.node.parameters;
  addCredentialTodo(conversion, 'its credential for SSH');
  if (resource !== 'file') return convertSshCommand(conversion);
  const transfer = operation === 'upload' ? convertUploadInto : convertDownload;
  return conversion.createCall(transfer(conversion, conversion.expressions));
};

const convertFtp: NodeConverter = (conversion) => {
  const { protocol = 'ftp', operation = 'download' } = conversion.node.parameters;
  const transfer = Object.hasOwn(TRANSFER_OPERATIONS, String(operation))
    ? TRANSFER_OPERATIONS[String(operation)]
    : undefined;
  if (!transfer) return conversion.placeholder('Choose an operation in a file transfer node.');
  addCredentialTodo(conversion, protocol === 'sftp' ? 'its credential for SSH' : 'its credential for FTP');
  return conversion.createCall(transfer(conversion, conversion.expressions), operation === 'list');
};

export const SERVER_CONVERTERS: Readonly<Record<string, NodeConverter>> = { ssh: convertSsh, ftp: convertFtp };
