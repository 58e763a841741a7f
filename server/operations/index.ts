import { accounts } from './accounts';
import { apiKeys } from './api-keys';
import { assignments } from './assignments';
import { audit } from './audit';
import { auth } from './auth';
import { connectors } from './connectors';
import { credentials } from './credentials';
import { decisions } from './decisions';
import { deliveries } from './deliveries';
import { execute } from './execute';
import { drafts } from './drafts';
import { executions } from './executions';
import { gaps } from './gaps';
import { invitations } from './invitations';
import { members } from './members';
import { mfa } from './mfa';
import { nodeTypes } from './node-types';
import { oauth } from './oauth';
import { outbox } from './outbox';
import { schedules } from './schedules';
import { rbac } from './rbac';
import { reruns } from './reruns';
import { roles } from './roles';
import { sessions } from './sessions';
import { setup } from './setup';
import { sso } from './sso';
import { ssoLogout } from './sso-logout';
import { ssoProviders } from './sso-providers';
import { versions } from './versions';
import { webhooks } from './webhooks';
import { workflows } from './workflows';
import { workspaceEnding } from './workspace-ending';
import { workspaceUsage } from './workspace-usage';
import { workspaces } from './workspaces';

/** All that a caller can do: the table of contents of the service. */
export const operations = [
  ...auth,
  ...accounts,
  ...workspaces,
  ...workspaceUsage,
  ...workspaceEnding,
  ...members,
  ...invitations,
  ...workflows,
  execute,
  gaps,
  ...drafts,
  ...versions,
  ...executions,
  ...reruns,
  ...decisions,
  ...webhooks,
  ...deliveries,
  ...schedules,
  ...credentials,
  ...connectors,
  ...oauth,
  ...nodeTypes,
  ...setup,
  ...outbox,
  ...apiKeys,
  ...roles,
  ...rbac,
  ...assignments,
  ...mfa,
  ...audit,
  ...sso,
  ...ssoLogout,
  ...ssoProviders,
  ...sessions,
];

export type AnyOperation = (typeof operations)[number];
