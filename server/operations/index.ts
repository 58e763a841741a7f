import { accounts } from './account/accounts';
import { alerts } from './workspace/alerts';
import { variables } from './workspace/variables';
import { apiKeys } from './access/api-keys';
import { assignments } from './access/assignments';
import { audit } from './workspace/audit';
import { auth } from './account/auth';
import { callers } from './workflows/callers';
import { calls } from './webhooks/calls';
import { connectors } from './connectors/connectors';
import { customConnectors } from './connectors/custom';
import { connectorDirectory } from './connectors/directory';
import { credentials } from './credentials/credentials';
import { decisions } from './executions/decisions';
import { deliveries } from './webhooks/deliveries';
import { emailVerification } from './account/email-verification';
import { execute } from './executions/execute';
import { drafts } from './workflows/drafts/drafts';
import { pins } from './workflows/pins/pins';
import { workflowTestRuns } from './workflows/tests/runs';
import { workflowTests } from './workflows/tests/tests';
import { invalidDrafts } from './workflows/drafts/invalid-drafts';
import { files } from './files/files';
import { favorites } from './workflows/favorites';
import { folders } from './workflows/folders';
import { formPages } from './forms/pages';
import { forms } from './forms/forms';
import { annotations } from './executions/annotations';
import { chats } from './chats/chats';
import { conversation } from './chats/conversation';
import { executions } from './executions/executions';
import { gaps } from './workflows/gaps';
import { invitations } from './workspace/invitations';
import { listeners } from './webhooks/listeners';
import { members } from './workspace/members';
import { mfa } from './account/mfa';
import { nodeTypes } from './workflows/node-types';
import { oauth } from './credentials/oauth';
import { outbox } from './workspace/outbox';
import { projects } from './projects/projects';
import { polls } from './workflows/triggers/polls';
import { proposals } from './workflows/proposals/proposals';
import { schedules } from './workflows/triggers/schedules';
import { rbac } from './access/rbac';
import { reruns } from './executions/reruns';
import { roles } from './access/roles';
import { sessions } from './account/sessions';
import { setup } from './account/setup';
import { sso } from './sso/sign-in';
import { ssoLogout } from './sso/logout';
import { ssoProviders } from './sso/providers';
import { stats } from './executions/stats';
import { rows } from './tables/rows';
import { tableCsv } from './tables/csv';
import { tables } from './tables/tables';
import { templates } from './workflows/templates';
import { workflowTools } from './workflows/tools';
import { versions } from './workflows/drafts/versions';
import { webhooks } from './webhooks/webhooks';
import { workflows } from './workflows/workflows';
import { workspaceEnding } from './workspace/ending';
import { workspaceUsage } from './workspace/usage';
import { workspaces } from './workspace/workspaces';

/** All operations: the table of contents of the service. */
export const operations = [
  ...auth,
  ...accounts,
  ...emailVerification,
  ...workspaces,
  ...workspaceUsage,
  ...workspaceEnding,
  ...members,
  ...invitations,
  ...workflows,
  ...callers,
  ...favorites,
  ...folders,
  execute,
  gaps,
  ...workflowTools,
  ...drafts,
  ...invalidDrafts,
  ...pins,
  ...proposals,
  ...workflowTests,
  ...workflowTestRuns,
  ...versions,
  ...executions,
  ...annotations,
  ...calls,
  ...reruns,
  ...stats,
  ...decisions,
  ...files,
  ...webhooks,
  ...deliveries,
  ...forms,
  ...chats,
  ...conversation,
  ...formPages,
  ...listeners,
  ...schedules,
  ...polls,
  ...credentials,
  ...connectors,
  ...customConnectors,
  ...connectorDirectory,
  ...oauth,
  ...nodeTypes,
  ...templates,
  ...projects,
  ...setup,
  ...outbox,
  ...apiKeys,
  ...roles,
  ...rbac,
  ...assignments,
  ...mfa,
  ...audit,
  ...alerts,
  ...variables,
  ...tables,
  ...rows,
  ...tableCsv,
  ...sso,
  ...ssoLogout,
  ...ssoProviders,
  ...sessions,
];

export type AnyOperation = (typeof operations)[number];
