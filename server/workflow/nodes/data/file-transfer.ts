import { z } from 'zod';
import { mediaTypeFromName } from '@/contract/media-types';
import { createNodeFailure, NodeFailure } from '@/server/platform/errors/node-failure';
import { remoteBaseName, parentFolders } from '@/server/network/remote/entries';
import type { RemoteFiles } from '@/server/network/remote/entries';
import { withRemoteFiles } from '@/server/network/remote/transfer';
import { openOutgoingContent } from './sent-content';
import { completeNode, defineNodeType, type WorkspaceFileAccess, type NodeRunContext } from '../node-type';
import { choiceField, literalField, largeValueField, requiredField } from '../field-traits';

/** Files take longer than other calls. */
const TRANSFER_TIMEOUT_MS = 300_000;

/** A path is data: no part of it is a pattern. A line break would end a command of FTP. */
const remotePathSchema = z
  .string()
  .min(1)
  .max(4096)
  .regex(/^[^\0\r\n]*$/, { error: 'must be one line' });

const fileTransferConfigSchema = z.strictObject({
  operation: choiceField(
    {
      list: 'List a folder',
      download: 'Download a file',
      upload: 'Upload a file',
      delete: 'Delete a file or an empty folder',
      move: 'Move or rename',
      make_folder: 'Make a folder',
    },
    { apiDescription: 'What is done on the server', title: 'Operation' },
  ).apply(requiredField),
  path: remotePathSchema
    .optional()
    .apply(requiredField)
    .meta({
      title: 'Path',
      description: 'On the server. Without a slash at the beginning: in the folder of the user.',
      examples: ['/reports/2026-01.csv'],
    }),
  to: remotePathSchema.optional().meta({
    title: 'New path',
    description: 'With the name of the file or folder.',
    'x-when': { operation: ['move'] },
  }),
  content: z
    .unknown()
    .optional()
    .apply(largeValueField)
    .meta({
      title: 'Content',
      description: 'The value of a file, or a text. Other values are sent as JSON. A file of this path is replaced.',
      'x-editor': 'json',
      'x-when': { operation: ['upload'] },
    }),
  makeFolders: z
    .boolean()
    .optional()
    .apply(literalField)
    .meta({
      title: 'Make missing folders',
      description: 'Makes the folders of the path that do not exist.',
      default: false,
      'x-when': { operation: ['upload', 'move'] },
    }),
});
type FileTransferConfig = z.output<typeof fileTransferConfigSchema>;

/** Requirements of an operation besides the path. */
function findMissingTransferFields({ operation, to, content }: Record<string, unknown>) {
  if (operation === 'move' && !to) return [{ field: 'to', message: 'is required' }];
  return operation === 'upload' && content === undefined ? [{ field: 'content', message: 'is required' }] : [];
}

const requireConfigText = (field: string, value: string | undefined): string => {
  if (value === undefined) throw new NodeFailure('CONFIG', `Missing: config.${field}.`, false);
  return value;
};

async function makeParentFolder(files: RemoteFiles, path: string): Promise<void> {
  const folder = parentFolders(path).at(-1);
  if (folder !== undefined) await files.makeFolder(folder);
}

/** Carries out the operation and returns the output. */
async function performTransfer(
  remote: RemoteFiles,
  { operation, to, content, ...given }: FileTransferConfig,
  stored: WorkspaceFileAccess,
) {
  const path = requireConfigText('path', given.path);
  switch (operation) {
    case 'list':
      return remote.list(path);
    case 'download': {
      const name = remoteBaseName(path);
      return { path, file: await stored.store(remote.read(path), { name, contentType: mediaTypeFromName(name) }) };
    }
    case 'upload': {
      const { size, open } = await openOutgoingContent(content, stored);
      if (given.makeFolders) await makeParentFolder(remote, path);
      await remote.write(path, await open());
      return { path, size };
    }
    case 'delete':
      await remote.remove(path);
      return { path };
    case 'move': {
      const target = requireConfigText('to', to);
      if (given.makeFolders) await makeParentFolder(remote, target);
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

async function runFileTransfer({
  config: given,
  credential,
  files,
  secrets,
  signal,
  waitForSlot: room,
}: NodeRunContext<FileTransferConfig>) {
  if (!credential) throw createNodeFailure('CREDENTIAL_MISSING', { subject: 'The node' });
  await room();
  const use = { signal, redact: (text: string) => secrets.text(text) };
  return completeNode(
    await withRemoteFiles(credential.credential, use, (remote) => performTransfer(remote, given, files)),
  );
}

export const fileTransferNodeType = defineNodeType({
  type: 'file_transfer',
  title: 'File transfer (SFTP, FTP)',
  summary: 'Lists, downloads, uploads, moves and deletes files of a server by SFTP, FTP or FTPS.',
  synonyms: ['sftp', 'ftp', 'ftps', 'scp', 'ftp server', 'remote file', 'remote folder', 'rename file', 'directory'],
  category: 'action',
  config: fileTransferConfigSchema,
  gaps: findMissingTransferFields,
  hasInput: true,
  seesInput: false,
  outputs: ['output'],
  credentialTypes: ['ssh', 'ftp'],
  needsCredential: true,
  isOutside: true,
  asksSource: true,
  defaultTimeoutMs: TRANSFER_TIMEOUT_MS,
  tool: {},
  run: runFileTransfer,
});
