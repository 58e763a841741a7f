import { z } from 'zod';
import { typeOfName } from '@/contract/media-types';
import { NodeFailure } from '@/server/errors/node-failure';
import { nameIn, parentsOf } from '@/server/remote/entries';
import { withFiles, type RemoteFiles } from '@/server/remote/transfer';
import { sentContent } from './sent-content';
import { done, nodeKind, type FileAccess, type RunContext } from '../node';

const OPERATIONS = ['list', 'download', 'upload', 'delete', 'move', 'make_folder'] as const;
/** Files take longer than other calls. */
const TIMEOUT_MS = 300_000;

/** A path is data: no part of it is a pattern. A line break would end a command of FTP. */
const Path = z
  .string()
  .min(1)
  .max(4096)
  .regex(/^[^\0\r\n]*$/, { error: 'must be one line' });

const config = z.strictObject({
  operation: z
    .enum(OPERATIONS)
    .optional()
    .meta({
      apiDescription: 'What is done on the server',
      title: 'Operation',
      'x-labels': {
        list: 'List a folder',
        download: 'Download a file',
        upload: 'Upload a file',
        delete: 'Delete a file or an empty folder',
        move: 'Move or rename',
        make_folder: 'Make a folder',
      },
    }),
  path: Path.optional().meta({
    title: 'Path',
    description: 'On the server. Without a slash at the beginning: in the folder of the user.',
    examples: ['/reports/2026-01.csv'],
  }),
  to: Path.optional().meta({
    title: 'New path',
    description: 'With the name of the file or folder.',
    'x-when': { operation: ['move'] },
  }),
  content: z
    .unknown()
    .optional()
    .meta({
      title: 'Content',
      description: 'The value of a file, or a text. Other values are sent as JSON. A file of this path is replaced.',
      'x-editor': 'json',
      'x-when': { operation: ['upload'] },
    }),
  makeFolders: z
    .boolean()
    .optional()
    .meta({
      title: 'Make missing folders',
      description: 'Makes the folders of the path that do not exist.',
      default: false,
      'x-when': { operation: ['upload', 'move'] },
    }),
});
type Config = z.output<typeof config>;

/** Requirements of an operation besides the path. */
function gaps({ operation, to, content }: Record<string, unknown>) {
  if (operation === 'move' && !to) return [{ field: 'to', message: 'is required' }];
  return operation === 'upload' && content === undefined ? [{ field: 'content', message: 'is required' }] : [];
}

const required = (field: string, value: string | undefined): string => {
  if (value === undefined) throw new NodeFailure('CONFIG', `Missing: config.${field}.`, false);
  return value;
};

async function makeParents(files: RemoteFiles, path: string): Promise<void> {
  const folder = parentsOf(path).at(-1);
  if (folder !== undefined) await files.makeFolder(folder);
}

/** Carries out the operation and returns the output. */
async function perform(remote: RemoteFiles, { operation, to, content, ...given }: Config, stored: FileAccess) {
  const path = required('path', given.path);
  switch (operation) {
    case 'list':
      return remote.list(path);
    case 'download': {
      const name = nameIn(path);
      return { path, file: await stored.store(remote.read(path), { name, contentType: typeOfName(name) }) };
    }
    case 'upload': {
      const { size, open } = await sentContent(content, stored);
      if (given.makeFolders) await makeParents(remote, path);
      await remote.write(path, await open());
      return { path, size };
    }
    case 'delete':
      await remote.remove(path);
      return { path };
    case 'move': {
      const target = required('to', to);
      if (given.makeFolders) await makeParents(remote, target);
      await remote.move(path, target);
      return { from: path, path: target };
    }
    case 'make_folder':
      await remote.makeFolder(path);
      return { path };
    case undefined:
      throw new NodeFailure('CONFIG', 'Missing: config.operation.', false);
  }
}

async function run({ config: given, credential, files, secrets, signal, room }: RunContext<Config>) {
  if (!credential) throw new NodeFailure('CREDENTIAL_MISSING', 'The node needs a credential.', false);
  await room();
  const use = { signal, redact: (text: string) => secrets.text(text) };
  return done(await withFiles(credential.credential, use, (remote) => perform(remote, given, files)));
}

export const fileTransfer = nodeKind({
  type: 'file_transfer',
  title: 'File transfer (SFTP, FTP)',
  summary: 'Lists, downloads, uploads, moves and deletes files of a server by SFTP, FTP or FTPS.',
  synonyms: ['sftp', 'ftp', 'ftps', 'scp', 'ftp server', 'remote file', 'remote folder', 'rename file', 'directory'],
  category: 'action',
  config,
  required: ['operation', 'path'],
  gaps,
  expressions: [],
  literals: ['operation', 'makeFolders'],
  largeFields: ['content'],
  hasInput: true,
  seesInput: false,
  outputs: ['output'],
  credentialTypes: ['ssh', 'ftp'],
  needsCredential: true,
  isOutside: true,
  asksSource: true,
  defaultTimeoutMs: TIMEOUT_MS,
  tool: {},
  run,
});
