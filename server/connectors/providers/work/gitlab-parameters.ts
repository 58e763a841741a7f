import { z } from 'zod';
import type { ConnectorPaging } from '../../operation';
import {
  countParameter,
  listedJoinedParameter,
  listedLineParameter,
  listedParameter,
  multilineParameter,
} from '../../parameters';

// https://docs.gitlab.com/api/rest/#pagination
export const gitlabLinkPaging: ConnectorPaging = { kind: 'link' };
export const gitlabProjectId = listedLineParameter('Project', 'projects', [], 500).describe(
  'Id, or path with its group, e.g. acme/shop',
);
export const gitlabIssueNumber = listedParameter(countParameter('Number', 2 ** 31), 'issues', ['project']).describe(
  'The number after #',
);
export const gitlabPageSize = countParameter('Items a page', 100).optional().describe('At most 100');
export const gitlabParameterNames = { limit: 'per_page', number: 'iid' };
export const gitlabIssueText = multilineParameter('Text', 1_000_000).optional().describe('Markdown');
export const gitlabBranch = (title: string) => listedLineParameter(title, 'branches', ['project'], 255);
export const gitlabLabels = listedJoinedParameter('Labels', 'labels', ['project'], 2000)
  .optional()
  .describe('Names, separated by commas');
/** Where an issue belongs: its milestone and its users. */
export const gitlabIssuePlace = {
  milestone: listedParameter(countParameter('Milestone', 2 ** 31), 'milestones', ['project'])
    .optional()
    .describe('Id of the milestone'),
  assignees: listedParameter(z.array(z.int()).max(100).meta({ title: 'Assignees' }), 'members', ['project'])
    .optional()
    .describe('Ids of users; several in paid plans only'),
};
export const gitlabIssueNames = { milestone: 'milestone_id', assignees: 'assignee_ids' };

// https://docs.gitlab.com/user/gitlab_com/#rate-limits-on-gitlabcom
export const gitlabRateLimit = '2,000 calls a minute for a user of gitlab.com.';
