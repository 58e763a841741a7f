/** How the rows of a table belong to a workspace, and what of them needs care. */
export interface Exported {
  /** SQL: which rows `t` belong to the workspace `$ws`. */
  rows: string;
  /** They are left out without runs. */
  isOfRuns?: true;
  /** Columns with ids of users, besides foreign keys. */
  users?: string[];
  /** Columns with ids that no foreign key checks, and their tables. An id that is not in the file becomes null. */
  names?: Record<string, string>;
  /** Other columns that look like ids but are texts of their own. */
  texts?: string[];
  /** Columns that get their default. */
  without?: string[];
  /** The column whose numbers are given anew. */
  numbered?: string;
}

const OF_WORKSPACE = 't.workspace_id = $ws';
const OF_WORKFLOW = 't.workflow_id IN (SELECT id FROM workflow WHERE workspace_id = $ws)';
const OF_RUN = 't.execution_id IN (SELECT id FROM execution WHERE workspace_id = $ws)';
const OF_MEMBER = 't.user_id IN (SELECT user_id FROM member WHERE workspace_id = $ws)';
const ofParent = (column: string, table: string) => `t.${column} IN (SELECT id FROM ${table} WHERE workspace_id = $ws)`;
const ofWorkflowPart = (column: string, table: string) =>
  `t.${column} IN (SELECT p.id FROM ${table} p JOIN workflow w ON w.id = p.workflow_id WHERE w.workspace_id = $ws)`;

const BY = ['created_by'];
const SIGN_IN_COLUMNS =
  'password_hash mfa_enabled_at mfa_secret mfa_used_steps email_proven_at is_mail_trusted tour_ended_at'.split(' ');
const ofRun: Exported = { rows: OF_RUN, isOfRuns: true };

/** The tables of which an export has rows, in the order in which an import stores them: what a foreign key names comes first. */
export const EXPORTED: Record<string, Exported> = {
  workspace: { rows: 't.id = $ws', without: ['deleted_at'] },
  app_user: {
    rows: `t.only_workspace_id = $ws OR t.id IN (SELECT user_id FROM member WHERE workspace_id = $ws)`,
    without: SIGN_IN_COLUMNS,
  },
  member: { rows: OF_WORKSPACE },
  role: { rows: OF_WORKSPACE, users: BY },
  role_assignment: { rows: `${OF_WORKSPACE} AND ${OF_MEMBER}`, texts: ['role_id', 'resource_id'] },
  folder: { rows: OF_WORKSPACE, users: BY },
  workflow: { rows: OF_WORKSPACE, users: BY },
  workflow_version: { rows: OF_WORKFLOW, users: ['created_by', 'authorized_by'] },
  workflow_favorite: { rows: `${OF_WORKFLOW} AND ${OF_MEMBER}` },
  invalid_draft: { rows: `${OF_WORKFLOW} AND ${OF_MEMBER}` },
  workflow_pin: { rows: OF_WORKFLOW, users: ['updated_by'], texts: ['node_id'] },
  workflow_test: { rows: OF_WORKFLOW, users: BY },
  project_workflow: { rows: OF_WORKFLOW },
  webhook: { rows: OF_WORKFLOW, users: BY },
  form: { rows: OF_WORKFLOW, users: BY },
  chat: { rows: OF_WORKFLOW, users: BY },
  schedule: { rows: OF_WORKFLOW, users: BY, names: { last_execution_id: 'execution' } },
  poll: { rows: OF_WORKFLOW, users: ['created_by', 'authorized_by'], without: ['lease_token', 'lease_until'] },
  poll_seen: { rows: ofWorkflowPart('poll_id', 'poll') },
  credential: { rows: OF_WORKSPACE, users: BY, texts: ['connector_id'], without: ['refreshing_until'] },
  connector_registration: { rows: OF_WORKSPACE, users: ['updated_by'], texts: ['connector_id', 'client_id'] },
  connector: { rows: OF_WORKSPACE, users: BY },
  connector_operation: { rows: ofParent('connector_id', 'connector'), texts: ['operation'] },
  variable: { rows: OF_WORKSPACE, users: BY },
  remembered: { rows: OF_WORKSPACE, texts: ['scope_id'] },
  remembered_item: { rows: ofParent('list_id', 'remembered') },
  data_table: { rows: OF_WORKSPACE, users: BY, without: ['indexes', 'is_indexed', 'analyzed_rows'] },
  file: { rows: `${OF_WORKSPACE} AND t.stored_at IS NOT NULL AND t.removed_at IS NULL`, users: BY },
  execution: {
    rows: OF_WORKSPACE,
    isOfRuns: true,
    users: BY,
    names: { parent_id: 'execution', root_id: 'execution', rerun_of: 'execution' },
    texts: ['worker_id', 'parent_node', 'until_node', 'triggered_by'],
  },
  execution_answer: ofRun,
  execution_annotation: { ...ofRun, users: ['updated_by'] },
  received_call: { ...ofRun, texts: ['node_id'] },
  run_family: { rows: ofParent('root_id', 'execution'), isOfRuns: true },
  node_result: { ...ofRun, names: { child_id: 'execution' }, texts: ['node_id'] },
  log_entry: { ...ofRun, texts: ['node_id'], numbered: 'id' },
  decision: { ...ofRun, texts: ['node_id', 'decided_by'] },
  webhook_delivery: {
    rows: ofWorkflowPart('webhook_id', 'webhook'),
    isOfRuns: true,
    names: { execution_id: 'execution', replay_of: 'webhook_delivery' },
    texts: ['sender_id', 'unique_id'],
  },
  execution_tally: {
    rows: `t.scope = $ws OR t.scope IN (SELECT id FROM workflow WHERE workspace_id = $ws)`,
    isOfRuns: true,
    numbered: 'id',
  },
  alert: { rows: OF_WORKSPACE, users: BY },
  alert_throttle: { rows: ofParent('alert_id', 'alert') },
  workflow_health: { rows: OF_WORKFLOW },
  run_ending: { rows: `${OF_WORKSPACE} AND t.kind = 'clean'`, isOfRuns: true, names: { execution_id: 'execution' } },
};

const SIGN_IN = 'people sign in at the target by its own means';
const SSO = 'a sign-in provider names the address of its installation and vouches for people: it is set up again';
const AUDIT = 'each entry is sealed in a chain of its installation, whose log says what happened there';
const COUNTED = 'counted again from the imported rows';
const PASSING = 'about what happens now in the processes of an installation';

/** The other tables, each with the reason. */
export const LEFT_OUT: Record<string, string> = {
  session: SIGN_IN,
  refresh_token: SIGN_IN,
  backup_code: SIGN_IN,
  login_throttle: SIGN_IN,
  invitation: 'the mailed link leads to the source; invite again',
  api_key: 'a key acts for a user of the source, whose account may be another one here; make new ones',
  sso_provider: SSO,
  domain_proof: SSO,
  sso_identity: SSO,
  sso_attempt: SSO,
  saml_assertion: SSO,
  oauth_attempt: 'the provider answers to the address of the source',
  audit_entry: AUDIT,
  audit_block: AUDIT,
  audit_waiting: AUDIT,
  audit_chain: AUDIT,
  outbox_mail: 'mail of a development installation',
  run_child: 'a trigger writes it with the runs, where they are partitioned',
  webhook_listener: PASSING,
  form_post: PASSING,
  held_delivery: 'the source starts their runs after its maintenance',
  maintenance: PASSING,
  alert_event: 'the source sends what it has noticed',
  alert_notice: 'the source sends what it has noticed',
  daily_use: PASSING,
  worker: PASSING,
  stored_reply: PASSING,
  rate_bucket: PASSING,
  presence: PASSING,
  file_use: COUNTED,
  row_file_use: COUNTED,
  file_check: COUNTED,
  file_tally: COUNTED,
  data_table_tally: COUNTED,
};
