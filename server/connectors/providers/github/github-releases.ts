import type { OperationDefinition } from '../../operation';
import {
  booleanParameter,
  contentLineParameter,
  countParameter,
  listedLineParameter,
  listedParameter,
} from '../../parameters';
import {
  GITHUB_REPOSITORY_FIELDS,
  githubBranchParameter,
  githubIssueText,
  githubLinkPaging,
  githubPageSize,
  githubParameterNames,
  githubRateLimit,
  githubRepositoryParameters,
} from './github-parameters';

const githubReleaseExample = {
  id: 1,
  tag_name: 'v1.0.0',
  name: 'v1.0.0',
  html_url: 'https://github.com/octocat/hello/releases/v1.0.0',
  published_at: '2026-01-31T08:15:30Z',
};

const inRelease = {
  ...githubRepositoryParameters,
  release: listedParameter(countParameter('Release', 2 ** 52), 'releases', GITHUB_REPOSITORY_FIELDS).describe(
    '`id` of the release',
  ),
};

/** Operations of GitHub with releases. https://docs.github.com/rest/releases/releases */
export const githubReleaseOperations: OperationDefinition[] = [
  {
    id: 'releases.list',
    title: 'List releases',
    help: 'Newest first, without drafts of others.',
    limits: githubRateLimit,
    method: 'GET',
    path: '/repos/{owner}/{repo}/releases',
    inPath: githubRepositoryParameters,
    inQuery: { limit: githubPageSize },
    names: githubParameterNames,
    items: '',
    paging: githubLinkPaging,
    example: [githubReleaseExample],
    poll: {
      title: 'New release',
      words: 'github trigger release version published',
      items: 'input.body',
      key: 'item.id',
    },
  },
  {
    id: 'releases.create',
    title: 'Create a release',
    help: 'Creates the tag, too, if there is none.',
    limits: githubRateLimit,
    method: 'POST',
    path: '/repos/{owner}/{repo}/releases',
    inPath: githubRepositoryParameters,
    inBody: {
      tag: listedLineParameter('Tag', 'tags', GITHUB_REPOSITORY_FIELDS, 255).describe('e.g. v1.0.0'),
      name: contentLineParameter('Name', 255).optional().describe('Title of the release'),
      body: githubIssueText,
      target: githubBranchParameter('Target').optional().describe('Branch or commit for a new tag'),
      hasNotes: booleanParameter('Generate notes').optional().describe('GitHub lists the changes'),
      isDraft: booleanParameter('Draft').optional().describe('Not published yet'),
    },
    names: { tag: 'tag_name', target: 'target_commitish', hasNotes: 'generate_release_notes', isDraft: 'draft' },
    example: githubReleaseExample,
  },
  {
    id: 'releases.get',
    title: 'Get a release',
    help: 'With its text and files.',
    limits: githubRateLimit,
    method: 'GET',
    path: '/repos/{owner}/{repo}/releases/{release}',
    inPath: inRelease,
    example: githubReleaseExample,
  },
  {
    id: 'releases.get_latest',
    title: 'Get the latest release',
    help: 'Without drafts and previews; fails if there is none.',
    limits: githubRateLimit,
    method: 'GET',
    path: '/repos/{owner}/{repo}/releases/latest',
    inPath: githubRepositoryParameters,
    example: githubReleaseExample,
  },
  {
    id: 'releases.update',
    title: 'Update a release',
    help: 'Changes what is given.',
    limits: githubRateLimit,
    method: 'PATCH',
    path: '/repos/{owner}/{repo}/releases/{release}',
    inPath: inRelease,
    inBody: {
      name: contentLineParameter('Name', 255).optional().describe('Title of the release'),
      body: githubIssueText,
      isDraft: booleanParameter('Draft').optional().describe('false publishes it'),
      isPreview: booleanParameter('Preview').optional().describe('Not ready for everybody'),
    },
    names: { isDraft: 'draft', isPreview: 'prerelease' },
    example: githubReleaseExample,
  },
  {
    id: 'releases.delete',
    title: 'Delete a release',
    help: 'Its tag stays.',
    limits: githubRateLimit,
    method: 'DELETE',
    path: '/repos/{owner}/{repo}/releases/{release}',
    inPath: inRelease,
    example: null,
  },
];
