import { accountOperations } from './account/accounts';
import { alertOperations } from './workspace/alerts';
import { variableOperations } from './workspace/variables';
import { apiKeyOperations } from './access/api-keys';
import { assignmentListOperations } from './access/assignments';
import { auditOperations } from './workspace/audit';
import { authOperations } from './account/auth';
import { callerOperations } from './workflows/callers';
import { callOperations } from './webhooks/calls';
import { connectorOperations } from './connectors/connectors';
import { customConnectorOperations } from './connectors/custom';
import { connectorDirectoryOperations } from './connectors/directory';
import { credentialOperations } from './credentials/credentials';
import { decisionOperations } from './executions/decisions';
import { deliveryOperations } from './webhooks/deliveries';
import { emailVerificationOperations } from './account/email-verification';
import { executeWorkflowOperation } from './executions/execute';
import { draftOperations } from './workflows/drafts/drafts';
import { pinOperations } from './workflows/pins/pins';
import { testRunOperations } from './workflows/tests/runs';
import { testOperations } from './workflows/tests/tests';
import { invalidDraftOperations } from './workflows/drafts/invalid-drafts';
import { fileOperations } from './files/files';
import { favoriteOperations } from './workflows/favorites';
import { folderOperations } from './workflows/folders';
import { formPageOperations } from './forms/pages';
import { runPageOperations } from './forms/run-pages';
import { executionPageOperations } from './executions/form-pages';
import { formOperations } from './forms/forms';
import { annotationOperations } from './executions/annotations';
import { chatOperations } from './chats/chats';
import { conversationOperations } from './chats/conversation';
import { executionOperations } from './executions/executions';
import { activationIssuesOperation } from './workflows/activation-issues';
import { expressionOperations } from './workflows/expressions';
import { nodePreviewOperations } from './workflows/node-previews';
import { importFromN8nOperations } from './imports/n8n';
import { importRecordOperations } from './imports/records';
import { invitationOperations } from './workspace/invitations';
import { listenerOperations } from './webhooks/listeners';
import { memberOperations } from './workspace/members';
import { mfaOperations } from './account/mfa';
import { nodeTypeOperations } from './workflows/node-types';
import { connectorChoiceOperations } from './choices/connector-choices';
import { nodeTypeChoiceOperations } from './choices/node-type-choices';
import { oauthOperations } from './credentials/oauth';
import { outboxOperations } from './workspace/outbox';
import { projectOperations } from './projects/projects';
import { pollOperations } from './workflows/triggers/polls';
import { proposalOperations } from './workflows/proposals/proposals';
import { scheduleOperations } from './workflows/triggers/schedules';
import { rbacOperations } from './access/rbac';
import { rerunOperations } from './executions/reruns';
import { roleOperations } from './access/roles';
import { savedFilterOperations } from './account/saved-filters';
import { sessionOperations } from './account/sessions';
import { setupOperations } from './account/setup';
import { ssoOperations } from './sso/sign-in';
import { ssoLogoutOperations } from './sso/logout';
import { ssoProviderOperations } from './sso/providers';
import { statsOperations } from './executions/stats';
import { rowOperations } from './tables/rows';
import { tableCsvOperations } from './tables/csv';
import { tableOperations } from './tables/tables';
import { templateOperations } from './workflows/templates';
import { workflowToolOperations } from './workflows/tools';
import { versionOperations } from './workflows/drafts/versions';
import { subscribeWebhookOperation } from './webhooks/subscribe';
import { webhookOperations } from './webhooks/webhooks';
import { workflowOperations } from './workflows/workflows';
import { workspaceOwnershipOperations } from './workspace/ending';
import { workspaceUsageOperations } from './workspace/usage';
import { workspaceOperations } from './workspace/workspaces';

/** All operations of the service; routes, tRPC and the API description are made from this list. */
export const operationTable = [
  ...authOperations,
  ...accountOperations,
  ...emailVerificationOperations,
  ...workspaceOperations,
  ...workspaceUsageOperations,
  ...workspaceOwnershipOperations,
  ...memberOperations,
  ...invitationOperations,
  ...workflowOperations,
  ...callerOperations,
  ...favoriteOperations,
  ...folderOperations,
  executeWorkflowOperation,
  activationIssuesOperation,
  ...expressionOperations,
  ...nodePreviewOperations,
  ...workflowToolOperations,
  ...draftOperations,
  ...invalidDraftOperations,
  ...pinOperations,
  ...proposalOperations,
  ...testOperations,
  ...testRunOperations,
  ...versionOperations,
  ...importFromN8nOperations,
  ...importRecordOperations,
  ...executionOperations,
  ...annotationOperations,
  ...callOperations,
  ...rerunOperations,
  ...statsOperations,
  ...decisionOperations,
  ...fileOperations,
  ...webhookOperations,
  subscribeWebhookOperation,
  ...deliveryOperations,
  ...formOperations,
  ...chatOperations,
  ...conversationOperations,
  ...formPageOperations,
  ...runPageOperations,
  ...executionPageOperations,
  ...listenerOperations,
  ...scheduleOperations,
  ...pollOperations,
  ...credentialOperations,
  ...connectorOperations,
  ...connectorChoiceOperations,
  ...customConnectorOperations,
  ...connectorDirectoryOperations,
  ...oauthOperations,
  ...nodeTypeOperations,
  ...nodeTypeChoiceOperations,
  ...templateOperations,
  ...projectOperations,
  ...setupOperations,
  ...outboxOperations,
  ...apiKeyOperations,
  ...roleOperations,
  ...rbacOperations,
  ...assignmentListOperations,
  ...mfaOperations,
  ...auditOperations,
  ...alertOperations,
  ...variableOperations,
  ...tableOperations,
  ...rowOperations,
  ...tableCsvOperations,
  ...ssoOperations,
  ...ssoLogoutOperations,
  ...ssoProviderOperations,
  ...savedFilterOperations,
  ...sessionOperations,
];

export type AnyOperation = (typeof operationTable)[number];
