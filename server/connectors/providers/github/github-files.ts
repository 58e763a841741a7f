import { NodeFailure } from '@/server/platform/errors/node-failure';
import { defineSteppedOperation, type ApiRequest, type ApiResponse, type OperationDefinition } from '../../operation';
import {
  contentLineParameter,
  fileParameter,
  listedLineParameter,
  multilineParameter,
  valueLineParameter,
} from '../../parameters';
import {
  GITHUB_REPOSITORY_FIELDS,
  githubBranchParameter,
  githubRateLimit,
  githubRepositoryParameters,
} from './github-parameters';
import { getAtPath } from '@/server/evaluation/expressions/dotted-path';

interface GithubFilePlace {
  owner: string;
  repo: string;
  path: string;
}

function githubContentsPath({ owner, repo, path }: GithubFilePlace): string {
  const segments = path.split('/').filter((segment) => segment !== '');
  // Such segments would lead to other addresses of the API.
  if (segments.some((segment) => segment === '.' || segment === '..'))
    throw new NodeFailure('CONFIG', `parameters.path: "${path}" must not contain . or .. as a name.`, false);
  return ['', 'repos', owner, repo, 'contents', ...segments].map(encodeURIComponent).join('/');
}

/** The hash of the content that a file has; undefined: there is no such file. */
function* findFileHash(file: GithubFilePlace, ref: string | undefined): Generator<ApiRequest, unknown, ApiResponse> {
  const { status, body } = yield { path: githubContentsPath(file), query: { ref }, acceptedStatus: 404 };
  if (status === 404) return undefined;
  if (Array.isArray(body)) throw new NodeFailure('CONFIG', `parameters.path: "${file.path}" is a folder.`, false);
  return getAtPath(body, 'sha');
}

const githubFilePath = listedLineParameter('Path', 'files', GITHUB_REPOSITORY_FIELDS, 4000).describe(
  'e.g. docs/readme.md',
);
const githubReadReference = githubBranchParameter('Branch')
  .optional()
  .describe('Branch, tag or commit; default: the main branch');
const githubCommitMessage = contentLineParameter('Message', 1000).describe('Of the commit');
const githubCommitBranch = githubBranchParameter('Branch').optional().describe('Default: the main branch');
const githubCommittedExample = {
  content: { path: 'readme.md', sha: '95b966ae1c166bd92f8ae7d1c313e738c731dfc3' },
  commit: { sha: '7638417d' },
};

/** Operations of GitHub with files of a repository. https://docs.github.com/rest/repos/contents */
export const githubFileOperations: OperationDefinition[] = [
  defineSteppedOperation({
    id: 'files.get',
    title: 'Get the text of a file',
    help: 'Text files of up to 1 MB, with the hash that a change needs.',
    limits: githubRateLimit,
    parameters: {
      ...githubRepositoryParameters,
      path: githubFilePath,
      ref: githubReadReference,
    },
    *steps({ ref, ...file }) {
      const { body: found } = yield { path: githubContentsPath(file), query: { ref } };
      const content = Buffer.from(String(getAtPath(found, 'content') ?? ''), 'base64').toString('utf8');
      return { path: getAtPath(found, 'path'), sha: getAtPath(found, 'sha'), text: content };
    },
    example: { path: 'readme.md', sha: '3d21ec53a331a6f037a91c368710b99387d012c1', text: '# Hello' },
  }),
  defineSteppedOperation({
    id: 'files.write',
    title: 'Create or change a file',
    help: 'Commits a text file to a branch.',
    limits: githubRateLimit,
    parameters: {
      ...githubRepositoryParameters,
      path: githubFilePath,
      text: multilineParameter('Text', 1_000_000).describe('Content of the file'),
      message: githubCommitMessage,
      branch: githubCommitBranch,
      sha: valueLineParameter('Hash', 'earlier step', 64)
        .optional()
        .describe('Of the content that it replaces; needed if the file exists'),
    },
    *steps({ message, branch, sha, text: content, ...file }) {
      const value = { message, branch, sha, content: Buffer.from(content).toString('base64') };
      return (yield { method: 'PUT', path: githubContentsPath(file), body: { as: 'json', value } }).body;
    },
    example: githubCommittedExample,
  }),
  defineSteppedOperation({
    id: 'files.edit',
    title: 'Write a file',
    help: 'Commits a text to a branch. A file that exists is replaced: its hash is looked up.',
    limits: githubRateLimit,
    parameters: {
      ...githubRepositoryParameters,
      path: githubFilePath,
      text: multilineParameter('Text', 1_000_000).describe('Content of the file'),
      message: githubCommitMessage,
      branch: githubCommitBranch,
    },
    *steps({ message, branch, text: content, ...file }) {
      const sha = yield* findFileHash(file, branch);
      const value = { message, branch, sha, content: Buffer.from(content).toString('base64') };
      return (yield { method: 'PUT', path: githubContentsPath(file), body: { as: 'json', value } }).body;
    },
    example: githubCommittedExample,
  }),
  defineSteppedOperation({
    id: 'files.upload',
    title: 'Upload a file',
    help: 'Commits a file of the run to a branch. A file that exists is replaced.',
    limits: githubRateLimit,
    parameters: {
      ...githubRepositoryParameters,
      path: githubFilePath,
      file: fileParameter('File'),
      message: githubCommitMessage,
      branch: githubCommitBranch,
    },
    *steps({ message, branch, file: content, ...place }) {
      const sha = yield* findFileHash(place, branch);
      const start = JSON.stringify({ message, branch, sha }).slice(0, -1);
      const pieces = [`${start},"content":"`, { file: content, isBase64: true as const }, '"}'];
      const body = { as: 'pieces' as const, type: 'application/json', pieces };
      return (yield { method: 'PUT', path: githubContentsPath(place), body }).body;
    },
    example: githubCommittedExample,
  }),
  defineSteppedOperation({
    id: 'files.download',
    title: 'Download a file',
    help: 'Stores a file of up to 100 MB as a file of the run.',
    limits: githubRateLimit,
    parameters: { ...githubRepositoryParameters, path: githubFilePath, ref: githubReadReference },
    *steps({ ref, ...file }) {
      const name = file.path.split('/').at(-1) ?? file.path;
      const headers = { Accept: 'application/vnd.github.raw+json' };
      return (yield { path: githubContentsPath(file), query: { ref }, headers, asFile: { name } }).body;
    },
    example: { $file: 'file_…', name: 'logo.png', contentType: 'image/png', size: 53_072, sha256: '…' },
  }),
  defineSteppedOperation({
    id: 'files.delete',
    title: 'Delete a file',
    help: 'Commits the removal to a branch; the hash of the file is looked up.',
    limits: githubRateLimit,
    parameters: {
      ...githubRepositoryParameters,
      path: githubFilePath,
      message: githubCommitMessage,
      branch: githubCommitBranch,
    },
    *steps({ message, branch, ...file }) {
      const sha = yield* findFileHash(file, branch);
      if (sha === undefined) throw new NodeFailure('NOT_FOUND', `There is no file "${file.path}".`, false);
      const value = { message, branch, sha };
      return (yield { method: 'DELETE', path: githubContentsPath(file), body: { as: 'json', value } }).body;
    },
    example: { content: null, commit: { sha: '7638417d' } },
  }),
  defineSteppedOperation({
    id: 'files.list',
    title: 'List the files of a folder',
    help: 'Names, hashes and sizes of at most 1,000 files and folders.',
    limits: githubRateLimit,
    parameters: {
      ...githubRepositoryParameters,
      folder: listedLineParameter('Folder', 'folders', GITHUB_REPOSITORY_FIELDS, 4000)
        .optional()
        .describe('e.g. docs; default: the top folder'),
      ref: githubReadReference,
    },
    *steps({ folder = '', ref, ...repository }) {
      const path = githubContentsPath({ ...repository, path: folder });
      const { body } = yield { path, query: { ref } };
      if (Array.isArray(body)) return body as unknown[];
      throw new NodeFailure('NOT_FOUND', `"${folder}" is a file, not a folder.`, false);
    },
    example: [{ name: 'readme.md', path: 'docs/readme.md', type: 'file', size: 625, sha: '3d21ec53' }],
  }),
];
