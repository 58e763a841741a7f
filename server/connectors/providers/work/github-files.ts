import { defineSteppedOperation, type OperationDefinition } from '../../operation';
import { multilineParameter, lineParameter } from '../../parameters';
import { githubRateLimit, githubRepositoryParameters } from './github-parameters';
import { getAtPath } from '@/server/evaluation/expressions/dotted-path';

const githubContentsPath = ({ owner, repo, path }: { owner: string; repo: string; path: string }) =>
  `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(repo)}/contents/${path.split('/').map(encodeURIComponent).join('/')}`;

/** Operations of GitHub with files of a repository. https://docs.github.com/rest/repos/contents */
export const githubFileOperations: OperationDefinition[] = [
  defineSteppedOperation({
    id: 'files.get',
    title: 'Get the text of a file',
    help: 'Text files of up to 1 MB, with the hash that a change needs.',
    limits: githubRateLimit,
    parameters: {
      ...githubRepositoryParameters,
      path: lineParameter('Path', 4000).describe('e.g. docs/readme.md'),
      ref: lineParameter('Branch', 255).optional().describe('Branch, tag or commit; default: the main branch'),
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
      path: lineParameter('Path', 4000).describe('e.g. docs/readme.md'),
      text: multilineParameter('Text', 1_000_000).describe('Content of the file'),
      message: lineParameter('Message', 1000).describe('Of the commit'),
      branch: lineParameter('Branch', 255).optional().describe('Default: the main branch'),
      sha: lineParameter('Hash', 64).optional().describe('Of the content that it replaces; needed if the file exists'),
    },
    *steps({ message, branch, sha, text: content, ...file }) {
      const value = { message, branch, sha, content: Buffer.from(content).toString('base64') };
      return (yield { method: 'PUT', path: githubContentsPath(file), body: { as: 'json', value } }).body;
    },
    example: {
      content: { path: 'readme.md', sha: '95b966ae1c166bd92f8ae7d1c313e738c731dfc3' },
      commit: { sha: '7638417d' },
    },
  }),
];
