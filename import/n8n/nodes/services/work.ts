import { sameParametersCall, serviceConverter, type ConnectorCallBuilder, type ParameterReader } from './service';

/** The repository: n8n keeps it as a name, or as an address. */
const githubRepository = (read: ParameterReader) => ({
  owner: read.text('owner')?.replace(/^https:\/\/github\.com\//, ''),
  repo: read.text('repository')?.replace(/^https:\/\/github\.com\/[^/]+\//, ''),
});

/** Names in a list of objects, such as `labels: [{ label }]`. */
const listedNames = (read: ParameterReader, path: string, name: string): string[] | undefined => {
  const names = read.rows(path).flatMap((row) => (typeof row[name] === 'string' ? [row[name]] : []));
  return names.length > 0 ? names : undefined;
};

const writeGithubFile: ConnectorCallBuilder = (read) => {
  const isBinary = read.isSet('binaryData');
  if (isBinary) read.addTodo('Write the text of the file: files with other content have no operation.');
  return {
    operation: 'files.write',
    parameters: {
      ...githubRepository(read),
      path: read.text('filePath'),
      text: isBinary ? '' : (read.text('fileContent') ?? ''),
      message: read.text('commitMessage'),
      branch: read.text('additionalParameters.branch.branch'),
    },
  };
};

const GITHUB_REVIEW_EVENTS: Readonly<Record<string, string>> = {
  approve: 'APPROVE',
  comment: 'COMMENT',
  requestChanges: 'REQUEST_CHANGES',
};

export const convertGithub = serviceConverter({
  connector: 'github',
  name: 'GitHub',
  resource: 'issue',
  operation: {
    issue: 'create',
    file: 'create',
    release: 'create',
    repository: 'getIssues',
    review: 'create',
    user: 'getRepositories',
    workflow: 'dispatch',
  },
  calls: {
    'issue.create': (read) => ({
      operation: 'issues.create',
      parameters: {
        ...githubRepository(read),
        title: read.text('title'),
        body: read.text('body'),
        labels: listedNames(read, 'labels', 'label'),
        assignees: listedNames(read, 'assignees', 'assignee'),
      },
    }),
    'issue.get': (read) => ({
      operation: 'issues.get',
      parameters: { ...githubRepository(read), number: read.value('issueNumber') },
    }),
    'issue.edit': (read) => ({
      operation: 'issues.update',
      parameters: {
        ...githubRepository(read),
        number: read.value('issueNumber'),
        title: read.text('editFields.title'),
        body: read.text('editFields.body'),
        state: read.text('editFields.state'),
        labels: listedNames(read, 'editFields.labels', 'label'),
        assignees: listedNames(read, 'editFields.assignees', 'assignee'),
      },
    }),
    'issue.createComment': (read) => ({
      operation: 'comments.create',
      parameters: { ...githubRepository(read), number: read.value('issueNumber'), body: read.text('body') },
    }),
    'repository.getIssues': (read) => {
      const { parameters, ...rest } = read.pages('');
      const state = read.text('getRepositoryIssuesFilters.state');
      return { ...rest, operation: 'issues.list', parameters: { ...githubRepository(read), state, ...parameters } };
    },
    'file.get': (read) => {
      if (read.get('asBinaryProperty') !== false) read.conversion.addRemark('Its output has the text of the file.');
      const ref = read.text('additionalParameters.reference');
      return { operation: 'files.get', parameters: { ...githubRepository(read), path: read.text('filePath'), ref } };
    },
    'file.list': (read) => ({
      operation: 'files.list',
      parameters: { ...githubRepository(read), folder: read.text('filePath') },
      isList: true,
    }),
    'file.delete': (read) => ({
      operation: 'files.delete',
      parameters: {
        ...githubRepository(read),
        path: read.text('filePath'),
        message: read.text('commitMessage'),
        branch: read.text('additionalParameters.branch.branch'),
      },
    }),
    'repository.get': (read) => ({ operation: 'repositories.get', parameters: githubRepository(read) }),
    'repository.getProfile': (read) => ({ operation: 'repositories.get_profile', parameters: githubRepository(read) }),
    'repository.getLicense': (read) => ({ operation: 'repositories.get_license', parameters: githubRepository(read) }),
    'repository.getPullRequests': (read) => {
      const { parameters, ...rest } = read.pages('');
      const state = read.text('getRepositoryPullRequestsFilters.state');
      return { ...rest, operation: 'pulls.list', parameters: { ...githubRepository(read), state, ...parameters } };
    },
    'review.create': (read) => ({
      operation: 'reviews.create',
      parameters: {
        ...githubRepository(read),
        number: read.value('pullRequestNumber'),
        event: GITHUB_REVIEW_EVENTS[String(read.get('event') ?? 'approve')],
        body: read.text('body'),
      },
    }),
    'user.getRepositories': (read) => {
      const { parameters, ...rest } = read.pages('');
      const { owner: user } = githubRepository(read);
      return { ...rest, operation: 'repositories.list_of_user', parameters: { user, ...parameters } };
    },
    'file.create': writeGithubFile,
    'file.edit': writeGithubFile,
    'release.create': (read) => ({
      operation: 'releases.create',
      parameters: {
        ...githubRepository(read),
        tag: read.text('releaseTag'),
        name: read.text('additionalFields.name'),
        body: read.text('additionalFields.body'),
      },
    }),
    'release.getAll': (read) => {
      const { parameters, ...rest } = read.pages('');
      return { ...rest, operation: 'releases.list', parameters: { ...githubRepository(read), ...parameters } };
    },
    'workflow.dispatch': (read) => ({
      operation: 'workflows.dispatch',
      parameters: {
        ...githubRepository(read),
        workflow: read.text('workflowId'),
        ref: read.text('ref') ?? 'main',
        inputs: read.json('inputs'),
      },
    }),
  },
});

const jiraIssueFields = (read: ParameterReader, fields: string) => ({
  description: read.text(`${fields}.description`),
  priority: read.chosenName(`${fields}.priority`),
  assignee: read.text(`${fields}.assignee`),
  labels: read.list(`${fields}.labels`),
});

const jiraIssueKey = (read: ParameterReader) => ({ issue: read.text('issueKey') });

export const convertJira = serviceConverter({
  connector: 'jira',
  name: 'Jira',
  resource: 'issue',
  operation: { issue: 'create', issueComment: 'add', issueAttachment: 'add', user: 'get' },
  calls: {
    'issue.create': (read) => {
      const type = read.text('issueType');
      if (read.isEmpty('project')) read.addChoice('project', 'Choose its project.');
      if (type === undefined) read.addChoice('type', 'Choose the type of the issue.');
      return {
        operation: 'issues.create',
        parameters: {
          project: read.text('project'),
          type,
          summary: read.text('summary'),
          ...jiraIssueFields(read, 'additionalFields'),
          parent: read.text('additionalFields.parentIssueKey'),
        },
      };
    },
    'issue.update': (read) => {
      if (read.get('updateFields.statusId')) read.addTodo('Change its status by the operation issues.transition.');
      const summary = read.text('updateFields.summary');
      return {
        operation: 'issues.update',
        parameters: { ...jiraIssueKey(read), summary, ...jiraIssueFields(read, 'updateFields') },
      };
    },
    'issue.get': (read) => ({ operation: 'issues.get', parameters: jiraIssueKey(read) }),
    'issue.delete': (read) => ({ operation: 'issues.delete', parameters: jiraIssueKey(read) }),
    'issue.getAll': (read) => {
      const { parameters, ...rest } = read.pages('issues');
      const jql = read.text('options.jql') ?? 'created >= -30d ORDER BY created DESC';
      return { ...rest, operation: 'issues.search', parameters: { jql, ...parameters } };
    },
    'issueComment.add': (read) => ({
      operation: 'comments.create',
      parameters: { ...jiraIssueKey(read), body: read.text('comment') },
    }),
    'issueComment.getAll': (read) => {
      const { parameters, ...rest } = read.pages('comments');
      return { ...rest, operation: 'comments.list', parameters: { ...jiraIssueKey(read), ...parameters } };
    },
    'issueAttachment.add': (read) => ({
      operation: 'attachments.add',
      parameters: { ...jiraIssueKey(read), file: read.file() },
    }),
  },
});

export const convertLinear = serviceConverter({
  connector: 'linear',
  name: 'Linear',
  resource: 'issue',
  operation: { issue: 'create', comment: 'addComment' },
  calls: {
    'issue.create': sameParametersCall('issues.create', {
      team: 'teamId',
      title: 'title',
      description: 'additionalFields.description',
      state: 'additionalFields.stateId',
      assignee: 'additionalFields.assigneeId',
      priority: 'additionalFields.priorityId',
    }),
    'issue.update': sameParametersCall('issues.update', {
      issue: 'issueId',
      title: 'updateFields.title',
      description: 'updateFields.description',
      state: 'updateFields.stateId',
      assignee: 'updateFields.assigneeId',
      priority: 'updateFields.priorityId',
    }),
    'issue.get': sameParametersCall('issues.get', { issue: 'issueId' }),
    'issue.getAll': (read) => ({
      operation: 'issues.list',
      parameters: { limit: read.isSet('returnAll') ? 250 : read.value('limit') },
      isList: true,
    }),
    'comment.addComment': sameParametersCall('comments.create', { issue: 'issueId', text: 'comment' }),
  },
});
