import { defineSteppedOperation, type OperationDefinition } from '../../operation';
import {
  countParameter,
  fileParameter,
  listedLineParameter,
  multilineParameter,
  timeParameter,
  valueLineParameter,
} from '../../parameters';
import { jiraIssueParameter, jiraIssuePath, jiraListPaging, jiraPageNames, jiraRateLimit } from './jira-parameters';
import { getAtPath } from '@/server/evaluation/expressions/dotted-path';

const jiraCommentExample = { id: '10000', body: 'Fixed', author: { displayName: 'Ada' } };
const inComment = {
  issue: jiraIssueParameter,
  comment: listedLineParameter('Comment', 'comments', ['issue'], 100).describe('`id` of the comment'),
};
const jiraAttachmentExample = { id: '10001', filename: 'report.pdf', size: 53_072 };
const jiraAttachmentId = listedLineParameter('Attachment', 'attachments', ['issue'], 100).describe(
  '`id` of the attachment',
);
const attachmentPlace = { issue: jiraIssueParameter.optional().describe('Only to pick the attachment') };

/**
 * Operations of Jira with comments, attachments and work. https://developer.atlassian.com/cloud/jira/platform/rest/v2/
 */
export const jiraCommentOperations: OperationDefinition[] = [
  {
    id: 'comments.create',
    title: 'Comment on an issue',
    help: 'Adds a comment.',
    limits: jiraRateLimit,
    method: 'POST',
    path: '/issue/{issue}/comment',
    inPath: { issue: jiraIssueParameter },
    inBody: { body: multilineParameter('Text', 32_767).describe('Plain text with the markup of Jira') },
    example: jiraCommentExample,
  },
  {
    id: 'comments.list',
    title: 'List comments of an issue',
    help: 'Oldest first.',
    limits: jiraRateLimit,
    method: 'GET',
    path: '/issue/{issue}/comment',
    inPath: { issue: jiraIssueParameter },
    inQuery: { limit: countParameter('Items a page', 100).optional().describe('Default 50') },
    names: jiraPageNames,
    items: 'comments',
    paging: jiraListPaging,
    example: { comments: [jiraCommentExample], total: 1 },
    poll: {
      title: 'New comment on an issue',
      words: 'jira trigger comment',
      parameters: { allPages: true },
      items: 'input.body',
      key: 'item.id',
    },
  },
  defineSteppedOperation({
    id: 'attachments.add',
    title: 'Attach a file to an issue',
    help: 'A file of the run.',
    limits: jiraRateLimit,
    parameters: { issue: jiraIssueParameter, file: fileParameter('File') },
    *steps({ issue: key, file: content }) {
      return (yield {
        method: 'POST',
        path: jiraIssuePath(key, '/attachments'),
        headers: { 'X-Atlassian-Token': 'no-check' },
        body: { as: 'multipart', fields: {}, files: [{ name: 'file', file: content }] },
      }).body;
    },
    example: [jiraAttachmentExample],
  }),
  {
    id: 'comments.get',
    title: 'Get a comment',
    help: 'Its text and author.',
    limits: jiraRateLimit,
    method: 'GET',
    path: '/issue/{issue}/comment/{comment}',
    inPath: inComment,
    example: jiraCommentExample,
  },
  {
    id: 'comments.update',
    title: 'Change a comment',
    help: 'Replaces its text.',
    limits: jiraRateLimit,
    method: 'PUT',
    path: '/issue/{issue}/comment/{comment}',
    inPath: inComment,
    inBody: { body: multilineParameter('Text', 32_767).describe('Plain text with the markup of Jira') },
    example: jiraCommentExample,
  },
  {
    id: 'comments.delete',
    title: 'Delete a comment',
    help: 'For good.',
    limits: jiraRateLimit,
    method: 'DELETE',
    path: '/issue/{issue}/comment/{comment}',
    inPath: inComment,
    example: null,
  },
  defineSteppedOperation({
    id: 'attachments.list',
    title: 'List attachments of an issue',
    help: 'Names, sizes and ids of its files.',
    limits: jiraRateLimit,
    parameters: { issue: jiraIssueParameter },
    *steps({ issue }) {
      const { body } = yield { path: jiraIssuePath(issue), query: { fields: 'attachment' } };
      return getAtPath(body, 'fields.attachment') ?? [];
    },
    example: [jiraAttachmentExample],
  }),
  {
    id: 'attachments.get',
    title: 'Get an attachment',
    help: 'Name, size and author of a file, without its content.',
    limits: jiraRateLimit,
    method: 'GET',
    path: '/attachment/{attachment}',
    unsent: attachmentPlace,
    inPath: { attachment: jiraAttachmentId },
    example: jiraAttachmentExample,
  },
  defineSteppedOperation({
    id: 'attachments.download',
    title: 'Download an attachment',
    help: 'Stores it as a file of the run.',
    limits: jiraRateLimit,
    parameters: { ...attachmentPlace, attachment: jiraAttachmentId },
    *steps({ attachment }) {
      const path = `/attachment/${encodeURIComponent(attachment)}`;
      const name = getAtPath((yield { path }).body, 'filename');
      const asFile = typeof name === 'string' ? { name } : {};
      return (yield {
        path: path.replace('/attachment/', '/attachment/content/'),
        query: { redirect: 'false' },
        asFile,
      }).body;
    },
    example: { $file: 'file_…', name: 'report.pdf', contentType: 'application/pdf', size: 53_072, sha256: '…' },
  }),
  {
    id: 'attachments.delete',
    title: 'Delete an attachment',
    help: 'For good.',
    limits: jiraRateLimit,
    method: 'DELETE',
    path: '/attachment/{attachment}',
    unsent: attachmentPlace,
    inPath: { attachment: jiraAttachmentId },
    example: null,
  },
  {
    id: 'worklogs.add',
    title: 'Log work on an issue',
    help: 'Time that somebody worked on it.',
    limits: jiraRateLimit,
    method: 'POST',
    path: '/issue/{issue}/worklog',
    inPath: { issue: jiraIssueParameter },
    inBody: {
      time: valueLineParameter('Time', 'quantity', 40).describe('e.g. 1h 30m'),
      comment: multilineParameter('Comment', 32_767).optional().describe('Plain text'),
      start: timeParameter('Start').optional().describe('e.g. 2026-01-31T08:15:30.000+0000; default: now'),
    },
    names: { time: 'timeSpent', start: 'started' },
    example: { id: '100028', timeSpent: '1h 30m', author: { displayName: 'Ada' } },
  },
  {
    id: 'worklogs.list',
    title: 'List the work on an issue',
    help: 'Oldest first.',
    limits: jiraRateLimit,
    method: 'GET',
    path: '/issue/{issue}/worklog',
    inPath: { issue: jiraIssueParameter },
    items: 'worklogs',
    example: { worklogs: [{ id: '100028', timeSpent: '1h 30m', author: { displayName: 'Ada' } }], total: 1 },
  },
];
