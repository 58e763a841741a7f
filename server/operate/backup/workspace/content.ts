/** How the rows of a table belong to a workspace, and what of them needs care. */
export interface ExportedTable {
  /** SQL condition: the rows `t` that belong to the workspace `$ws`. */
  rows: string;
  /** An export without runs omits these rows. */
  isOfRuns?: true;
  /** Columns with ids of users, besides foreign keys. */
  users?: string[];
  /** Columns with ids that no foreign key checks, and their tables. An id that is not in the file becomes null. */
  names?: Record<string, string>;
  /** Other columns that look like ids but are texts of their own. */
  texts?: string[];
  /** Columns that are not exported and get their default value in an import. */
  without?: string[];
  /** The column that gets new numbers in an import. */
  numbered?: string;
}

const WORKSPACE_ROWS_SQL = 't.workspace_id = $ws';
const WORKFLOW_ROWS_SQL = 't.workflow_id IN (SELECT id FROM workflow WHERE workspace_id = $ws)';
const RUN_ROWS_SQL = 't.execution_id IN (SELECT id FROM execution WHERE workspace_id = $ws)';
const MEMBER_ROWS_SQL = 't.user_id IN (SELECT user_id FROM member WHERE workspace_id = $ws)';
const parentRowsSql = (column: string, table: string) =>
  `t.${column} IN (SELECT id FROM ${table} WHERE workspace_id = $ws)`;
const workflowPartRowsSql = (column: string, table: string) =>
  `t.${column} IN (SELECT p.id FROM ${table} p JOIN workflow w ON w.id = p.workflow_id WHERE w.workspace_id = $ws)`;

const CREATOR_COLUMNS = ['created_by'];
const SIGN_IN_COLUMNS =
  'password_hash mfa_enabled_at mfa_secret mfa_used_steps email_proven_at is_mail_trusted tour_ended_at'.split(' ');
/** The id of a node in the definition of the workflow, which an export does not change. */
const START_NODE_COLUMNS = ['start_node_id'];
const runTable: ExportedTable = { rows: RUN_ROWS_SQL, isOfRuns: true };

/**
 * The tables of which an export has rows, in the order in which an import stores them: what a foreign key names comes
 * first.
 */
export const EXPORTED_TABLES: Record<string, ExportedTable> = {
  workspace: { rows: 't.id = $ws', without: ['deleted_at'] },
  app_user: {
    rows: `t.only_workspace_id = $ws OR t.id IN (SELECT user_id FROM member WHERE workspace_id = $ws)`,
    without: SIGN_IN_COLUMNS,
  },
  member: { rows: WORKSPACE_ROWS_SQL },
  role: { rows: WORKSPACE_ROWS_SQL, users: CREATOR_COLUMNS },
  role_assignment: { rows: `${WORKSPACE_ROWS_SQL} AND ${MEMBER_ROWS_SQL}`, texts: ['role_id', 'resource_id'] },
  folder: { rows: WORKSPACE_ROWS_SQL, users: CREATOR_COLUMNS },
  workflow: { rows: WORKSPACE_ROWS_SQL, users: CREATOR_COLUMNS },
  workflow_version: { rows: WORKFLOW_ROWS_SQL, users: ['created_by', 'authorized_by'] },
  workflow_favorite: { rows: `${WORKFLOW_ROWS_SQL} AND ${MEMBER_ROWS_SQL}` },
  invalid_draft: { rows: `${WORKFLOW_ROWS_SQL} AND ${MEMBER_ROWS_SQL}` },
  workflow_pin: { rows: WORKFLOW_ROWS_SQL, users: ['updated_by'], texts: ['node_id'] },
  workflow_test: { rows: WORKFLOW_ROWS_SQL, users: CREATOR_COLUMNS, texts: START_NODE_COLUMNS },
  workflow_import: { rows: WORKFLOW_ROWS_SQL, users: ['imported_by'], texts: ['source_id'] },
  project_workflow: { rows: WORKFLOW_ROWS_SQL },
  webhook: { rows: WORKFLOW_ROWS_SQL, users: CREATOR_COLUMNS, texts: START_NODE_COLUMNS },
  // What the provider has belongs to the source: a copy has to be subscribed again.
  webhook_subscription: {
    rows: `t.is_current AND ${workflowPartRowsSql('webhook_id', 'webhook')}`,
    names: { workspace_id: 'workspace', workflow_id: 'workflow', webhook_id: 'webhook' },
    texts: ['connector_id', 'credential_id'],
    without:
      'home status may_exist external_id expires_at renews_at account credential_version error_message error_at failures next_at removal_since kept_credential kept_sealed lease_token lease_until'.split(
        ' ',
      ),
  },
  form: { rows: WORKFLOW_ROWS_SQL, users: CREATOR_COLUMNS, texts: START_NODE_COLUMNS },
  chat: { rows: WORKFLOW_ROWS_SQL, users: CREATOR_COLUMNS, texts: START_NODE_COLUMNS },
  schedule: {
    rows: WORKFLOW_ROWS_SQL,
    users: CREATOR_COLUMNS,
    names: { last_execution_id: 'execution' },
    texts: START_NODE_COLUMNS,
  },
  poll: {
    rows: WORKFLOW_ROWS_SQL,
    users: ['created_by', 'authorized_by'],
    without: ['lease_token', 'lease_until'],
    texts: START_NODE_COLUMNS,
  },
  poll_seen: { rows: workflowPartRowsSql('poll_id', 'poll') },
  credential: {
    rows: WORKSPACE_ROWS_SQL,
    users: CREATOR_COLUMNS,
    texts: ['connector_id'],
    without: ['refreshing_until'],
  },
  connector_registration: { rows: WORKSPACE_ROWS_SQL, users: ['updated_by'], texts: ['connector_id', 'client_id'] },
  connector: { rows: WORKSPACE_ROWS_SQL, users: CREATOR_COLUMNS },
  connector_operation: { rows: parentRowsSql('connector_id', 'connector'), texts: ['operation'] },
  variable: { rows: WORKSPACE_ROWS_SQL, users: CREATOR_COLUMNS },
  remembered: { rows: WORKSPACE_ROWS_SQL, texts: ['scope_id'] },
  remembered_item: { rows: parentRowsSql('list_id', 'remembered') },
  data_table: { rows: WORKSPACE_ROWS_SQL, users: CREATOR_COLUMNS, without: ['indexes', 'is_indexed', 'analyzed_rows'] },
  file: { rows: `${WORKSPACE_ROWS_SQL} AND t.stored_at IS NOT NULL AND t.removed_at IS NULL`, users: CREATOR_COLUMNS },
  execution: {
    rows: WORKSPACE_ROWS_SQL,
    isOfRuns: true,
    users: CREATOR_COLUMNS,
    names: { parent_id: 'execution', root_id: 'execution', rerun_of: 'execution' },
    texts: ['worker_id', 'parent_node', 'until_node', 'start_node_id', 'triggered_by'],
  },
  execution_answer: runTable,
  execution_annotation: { ...runTable, users: ['updated_by'] },
  received_call: { ...runTable, texts: ['node_id'] },
  run_family: { rows: parentRowsSql('root_id', 'execution'), isOfRuns: true },
  node_result: { ...runTable, names: { child_id: 'execution' }, texts: ['node_id'] },
  log_entry: { ...runTable, texts: ['node_id'], numbered: 'id' },
  decision: { ...runTable, texts: ['node_id', 'decided_by'] },
  webhook_delivery: {
    rows: workflowPartRowsSql('webhook_id', 'webhook'),
    isOfRuns: true,
    names: { execution_id: 'execution', replay_of: 'webhook_delivery' },
    texts: ['sender_id', 'unique_id'],
  },
  execution_tally: {
    rows: `t.scope = $ws OR t.scope IN (SELECT id FROM workflow WHERE workspace_id = $ws)`,
    isOfRuns: true,
    numbered: 'id',
  },
  alert: { rows: WORKSPACE_ROWS_SQL, users: CREATOR_COLUMNS },
  alert_throttle: { rows: parentRowsSql('alert_id', 'alert') },
  workflow_health: { rows: WORKFLOW_ROWS_SQL },
  run_ending: {
    rows: `${WORKSPACE_ROWS_SQL} AND t.kind = 'clean'`,
    isOfRuns: true,
    names: { execution_id: 'execution' },
  },
};

const SIGN_IN_REASON = 'people sign in at the target by its own means';
const SSO_REASON =
  'a sign-in provider names the address of its installation and vouches for people: it is set up again';
const AUDIT_REASON = 'each entry is sealed in a chain of its installation, whose log says what happened there';
const COUNTED_REASON = 'counted again from the imported rows';
const TRANSIENT_REASON = 'about what happens now in the processes of an installation';

/** The other tables, each with the reason. */
export const OMITTED_TABLES: Record<string, string> = {
  session: SIGN_IN_REASON,
  refresh_token: SIGN_IN_REASON,
  backup_code: SIGN_IN_REASON,
  login_throttle: SIGN_IN_REASON,
  invitation: 'the mailed link leads to the source; invite again',
  api_key: 'a key acts for a user of the source, whose account may be another one here; make new ones',
  sso_provider: SSO_REASON,
  domain_proof: SSO_REASON,
  sso_identity: SSO_REASON,
  sso_attempt: SSO_REASON,
  saml_assertion: SSO_REASON,
  saved_filter: 'their addresses name objects of the source; save them again',
  oauth_attempt: 'the provider answers to the address of the source',
  audit_entry: AUDIT_REASON,
  audit_block: AUDIT_REASON,
  audit_waiting: AUDIT_REASON,
  audit_chain: AUDIT_REASON,
  outbox_mail: 'mail of a development installation',
  run_child: 'a trigger writes it with the runs, where they are partitioned',
  webhook_listener: TRANSIENT_REASON,
  form_post: TRANSIENT_REASON,
  held_delivery: 'the source starts their runs after its maintenance',
  maintenance: TRANSIENT_REASON,
  alert_event: 'the source sends what it has noticed',
  alert_notice: 'the source sends what it has noticed',
  daily_use: TRANSIENT_REASON,
  worker: TRANSIENT_REASON,
  stored_reply: TRANSIENT_REASON,
  rate_bucket: TRANSIENT_REASON,
  presence: TRANSIENT_REASON,
  file_use: COUNTED_REASON,
  row_file_use: COUNTED_REASON,
  file_check: COUNTED_REASON,
  file_tally: COUNTED_REASON,
  data_table_tally: COUNTED_REASON,
};
