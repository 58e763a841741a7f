-- The schema as 39 earlier migrations left it; they are kept in prisma/squashed/2 for databases that ran some of them. They began with the schema
-- that the 31 of prisma/squashed/1 had led to.
-- Functions come after the tables that they read and before the triggers that call them.
SET LOCAL check_function_bodies = false;

CREATE TABLE workspace (
    id text NOT NULL,
    name text NOT NULL,
    slug text NOT NULL,
    tier text NOT NULL,
    settings jsonb DEFAULT '{}' NOT NULL,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL,
    concurrency_limit integer,
    concurrency_overflow text DEFAULT 'queue' NOT NULL,
    deleted_at timestamp(3) with time zone,
    CONSTRAINT workspace_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX workspace_slug_key ON workspace (slug);

-- `only_workspace_id`: an account that a workspace's provider created leaves its address free for the person who has it.
CREATE TABLE app_user (
    id text NOT NULL,
    email text NOT NULL,
    name text NOT NULL,
    password_hash text,
    mfa_enabled_at timestamp(3) with time zone,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    mfa_secret text,
    mfa_used_steps integer[] DEFAULT ARRAY[]::integer[],
    email_proven_at timestamp(3) with time zone,
    tour_ended_at timestamp(3) with time zone,
    only_workspace_id text,
    is_mail_trusted boolean DEFAULT false NOT NULL,
    CONSTRAINT app_user_pkey PRIMARY KEY (id),
    CONSTRAINT app_user_only_workspace_id_fkey FOREIGN KEY (only_workspace_id) REFERENCES workspace(id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE UNIQUE INDEX app_user_account_email_key ON app_user (email) WHERE only_workspace_id IS NULL;
CREATE UNIQUE INDEX app_user_only_workspace_id_email_key ON app_user (only_workspace_id, email);

CREATE TABLE session (
    id text NOT NULL,
    user_id text NOT NULL,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL,
    ended_at timestamp(3) with time zone,
    ip_address text NOT NULL,
    user_agent text NOT NULL,
    method text DEFAULT 'password' NOT NULL,
    saml_subject json,
    sso_provider_id text,
    workspace_id text,
    factor_at timestamp(3) with time zone,
    last_used_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    CONSTRAINT session_pkey PRIMARY KEY (id),
    CONSTRAINT session_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE INDEX session_sso_provider_id_idx ON session (sso_provider_id);
CREATE INDEX session_user_id_idx ON session (user_id);

CREATE TABLE refresh_token (
    hash text NOT NULL,
    session_id text NOT NULL,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    used_at timestamp(3) with time zone,
    CONSTRAINT refresh_token_pkey PRIMARY KEY (hash),
    CONSTRAINT refresh_token_session_id_fkey FOREIGN KEY (session_id) REFERENCES session(id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE INDEX refresh_token_session_id_idx ON refresh_token (session_id);

CREATE TABLE backup_code (
    user_id text NOT NULL,
    hash text NOT NULL,
    used_at timestamp(3) with time zone,
    CONSTRAINT backup_code_pkey PRIMARY KEY (user_id, hash),
    CONSTRAINT backup_code_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id) ON UPDATE CASCADE ON DELETE CASCADE
);

CREATE TABLE login_throttle (
    key text NOT NULL,
    failures integer NOT NULL,
    since timestamp(3) with time zone NOT NULL,
    blocks integer DEFAULT 0 NOT NULL,
    blocked_until timestamp(3) with time zone,
    CONSTRAINT login_throttle_pkey PRIMARY KEY (key)
);
CREATE INDEX login_throttle_since_idx ON login_throttle (since);

CREATE TABLE member (
    workspace_id text NOT NULL,
    user_id text NOT NULL,
    joined_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    accepted_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT member_pkey PRIMARY KEY (workspace_id, user_id),
    CONSTRAINT member_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id) ON UPDATE CASCADE ON DELETE CASCADE,
    CONSTRAINT member_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspace(id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE INDEX member_user_id_idx ON member (user_id);

CREATE TABLE invitation (
    id text NOT NULL,
    workspace_id text NOT NULL,
    email text NOT NULL,
    role_id text NOT NULL,
    token_hash text NOT NULL,
    invited_by text,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT invitation_pkey PRIMARY KEY (id),
    CONSTRAINT invitation_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspace(id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE UNIQUE INDEX invitation_token_hash_key ON invitation (token_hash);
CREATE UNIQUE INDEX invitation_workspace_id_email_key ON invitation (workspace_id, email);

CREATE TABLE role (
    id text NOT NULL,
    workspace_id text NOT NULL,
    name text NOT NULL,
    description text NOT NULL,
    inherits text[],
    permissions json NOT NULL,
    lineage text[],
    created_by text,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    CONSTRAINT role_pkey PRIMARY KEY (id),
    CONSTRAINT role_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspace(id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE UNIQUE INDEX role_workspace_id_name_key ON role (workspace_id, name);

CREATE TABLE role_assignment (
    id text NOT NULL,
    workspace_id text NOT NULL,
    user_id text NOT NULL,
    role_id text NOT NULL,
    resource_type text,
    resource_id text,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    CONSTRAINT role_assignment_pkey PRIMARY KEY (id),
    CONSTRAINT role_assignment_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id) ON UPDATE CASCADE ON DELETE CASCADE,
    CONSTRAINT role_assignment_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspace(id) ON UPDATE CASCADE ON DELETE CASCADE
);
-- One role is held once in one place.
CREATE UNIQUE INDEX role_assignment_once_idx ON role_assignment (workspace_id, user_id, role_id, COALESCE(resource_type, ''), COALESCE(resource_id, ''));
CREATE INDEX role_assignment_workspace_id_user_id_idx ON role_assignment (workspace_id, user_id);

CREATE TABLE api_key (
    id text NOT NULL,
    workspace_id text NOT NULL,
    user_id text NOT NULL,
    name text NOT NULL,
    hash text NOT NULL,
    hint text NOT NULL,
    scopes text[],
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    expires_at timestamp(3) with time zone,
    last_used_at timestamp(3) with time zone,
    revoked_at timestamp(3) with time zone,
    sso_provider_id text,
    CONSTRAINT api_key_pkey PRIMARY KEY (id),
    CONSTRAINT api_key_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id) ON UPDATE CASCADE ON DELETE CASCADE,
    CONSTRAINT api_key_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspace(id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE UNIQUE INDEX api_key_hash_key ON api_key (hash);
CREATE INDEX api_key_user_id_idx ON api_key (user_id);
CREATE INDEX api_key_workspace_id_created_at_id_idx ON api_key (workspace_id, created_at DESC, id DESC);

CREATE TABLE sso_provider (
    id text NOT NULL,
    workspace_id text NOT NULL,
    type text NOT NULL,
    name text NOT NULL,
    enabled boolean NOT NULL,
    domains text[],
    default_role text NOT NULL,
    config json NOT NULL,
    secrets text NOT NULL,
    last_sign_in json,
    created_by text,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    CONSTRAINT sso_provider_pkey PRIMARY KEY (id),
    CONSTRAINT sso_provider_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspace(id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE INDEX sso_provider_workspace_id_created_at_id_idx ON sso_provider (workspace_id, created_at DESC, id DESC);

-- Which domains of a provider count.
CREATE TABLE domain_proof (
    provider_id text NOT NULL,
    domain text NOT NULL,
    method text NOT NULL,
    verified_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    CONSTRAINT domain_proof_pkey PRIMARY KEY (provider_id, domain),
    CONSTRAINT domain_proof_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES sso_provider(id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE INDEX domain_proof_domain_idx ON domain_proof (domain);

CREATE TABLE sso_attempt (
    id text NOT NULL,
    provider_id text NOT NULL,
    browser_hash text NOT NULL,
    return_to text NOT NULL,
    response text NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT sso_attempt_pkey PRIMARY KEY (id)
);
CREATE INDEX sso_attempt_expires_at_idx ON sso_attempt (expires_at);

CREATE TABLE sso_identity (
    provider_id text NOT NULL,
    subject text NOT NULL,
    user_id text NOT NULL,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    CONSTRAINT sso_identity_pkey PRIMARY KEY (provider_id, subject),
    CONSTRAINT sso_identity_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE INDEX sso_identity_user_id_idx ON sso_identity (user_id);

CREATE TABLE saml_assertion (
    id text NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT saml_assertion_pkey PRIMARY KEY (id)
);
CREATE INDEX saml_assertion_expires_at_idx ON saml_assertion (expires_at);

CREATE TABLE credential (
    id text NOT NULL,
    workspace_id text NOT NULL,
    name text NOT NULL,
    type text NOT NULL,
    connector_id text,
    status text NOT NULL,
    config json NOT NULL,
    sealed text NOT NULL,
    secret_fields text[],
    version integer NOT NULL,
    expires_at timestamp(3) with time zone,
    created_by text,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    token_generation integer DEFAULT 0 NOT NULL,
    refreshing_until timestamp(3) with time zone,
    granted_fields text[] DEFAULT ARRAY[]::text[],
    refusal text,
    CONSTRAINT credential_pkey PRIMARY KEY (id),
    CONSTRAINT credential_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspace(id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE INDEX credential_workspace_id_created_at_id_idx ON credential (workspace_id, created_at DESC, id DESC);

CREATE TABLE connector_registration (
    workspace_id text NOT NULL,
    connector_id text NOT NULL,
    client_id text NOT NULL,
    sealed text NOT NULL,
    addresses json DEFAULT '{}' NOT NULL,
    updated_by text,
    updated_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    sealed_parameters text,
    CONSTRAINT connector_registration_pkey PRIMARY KEY (workspace_id, connector_id),
    CONSTRAINT connector_registration_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspace(id) ON UPDATE CASCADE ON DELETE CASCADE
);

CREATE TABLE oauth_attempt (
    id text NOT NULL,
    workspace_id text NOT NULL,
    user_id text NOT NULL,
    connector_id text NOT NULL,
    verifier_hash text NOT NULL,
    state_hash text NOT NULL,
    redirect_uri text NOT NULL,
    scopes text[],
    params json NOT NULL,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL,
    claimed_until timestamp(3) with time zone,
    used_at timestamp(3) with time zone,
    CONSTRAINT oauth_attempt_pkey PRIMARY KEY (id),
    CONSTRAINT oauth_attempt_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspace(id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE INDEX oauth_attempt_expires_at_idx ON oauth_attempt (expires_at);
CREATE UNIQUE INDEX oauth_attempt_workspace_id_state_hash_key ON oauth_attempt (workspace_id, state_hash);
CREATE UNIQUE INDEX oauth_attempt_workspace_id_verifier_hash_key ON oauth_attempt (workspace_id, verifier_hash);

-- Connectors of workspaces, made from OpenAPI documents.
CREATE TABLE connector (
    id text NOT NULL,
    workspace_id text NOT NULL,
    name text NOT NULL,
    description text DEFAULT '' NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    frame json NOT NULL,
    source_url text,
    source_hash text NOT NULL,
    document_version text DEFAULT '' NOT NULL,
    selection json,
    created_by text,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    CONSTRAINT connector_pkey PRIMARY KEY (id),
    CONSTRAINT connector_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspace(id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE INDEX connector_workspace_id_created_at_id_idx ON connector (workspace_id, created_at DESC, id DESC);

CREATE TABLE connector_operation (
    connector_id text NOT NULL,
    operation text NOT NULL,
    "position" integer NOT NULL,
    title text NOT NULL,
    help text DEFAULT '' NOT NULL,
    "grouping" text,
    is_removed boolean DEFAULT false NOT NULL,
    record json NOT NULL,
    CONSTRAINT connector_operation_pkey PRIMARY KEY (connector_id, operation),
    CONSTRAINT connector_operation_connector_id_fkey FOREIGN KEY (connector_id) REFERENCES connector(id) ON UPDATE CASCADE ON DELETE CASCADE
);

-- Named values of a workspace that its workflows read. Not secret.
CREATE TABLE variable (
    workspace_id text NOT NULL,
    name text NOT NULL,
    value json NOT NULL,
    created_by text,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    CONSTRAINT variable_pkey PRIMARY KEY (workspace_id, name),
    CONSTRAINT variable_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspace(id) ON UPDATE CASCADE ON DELETE CASCADE
);

CREATE TABLE folder (
    id text NOT NULL,
    workspace_id text NOT NULL,
    parent_id text,
    name text NOT NULL,
    created_by text,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    CONSTRAINT folder_pkey PRIMARY KEY (id),
    CONSTRAINT folder_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES folder(id) ON UPDATE CASCADE ON DELETE SET NULL,
    CONSTRAINT folder_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspace(id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE INDEX folder_parent_id_idx ON folder (parent_id);
CREATE INDEX folder_workspace_id_idx ON folder (workspace_id);

CREATE TABLE workflow (
    id text NOT NULL,
    workspace_id text NOT NULL,
    name text NOT NULL,
    description text NOT NULL,
    status text NOT NULL,
    definition json NOT NULL,
    version integer NOT NULL,
    created_by text,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    concurrency_limit integer,
    concurrency_overflow text DEFAULT 'queue' NOT NULL,
    draft_version integer,
    settings jsonb DEFAULT '{}' NOT NULL,
    tags text[] DEFAULT '{}',
    folder_id text,
    CONSTRAINT workflow_pkey PRIMARY KEY (id),
    CONSTRAINT workflow_folder_id_fkey FOREIGN KEY (folder_id) REFERENCES folder(id) ON UPDATE CASCADE ON DELETE SET NULL,
    CONSTRAINT workflow_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspace(id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE INDEX workflow_folder_id_idx ON workflow (folder_id);
CREATE INDEX workflow_workspace_id_created_at_id_idx ON workflow (workspace_id, created_at DESC, id DESC);

-- `authorized_by`: the person whose permissions decide which credentials and workflows a run of the version may use. `required_abilities`: what
-- a process must know to continue its runs, the sum of numbers in `server/workflow/definition/abilities.ts`.
CREATE TABLE workflow_version (
    id text NOT NULL,
    workflow_id text NOT NULL,
    version integer NOT NULL,
    name text NOT NULL,
    description text NOT NULL,
    definition json NOT NULL,
    message text NOT NULL,
    created_by text,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    published_at timestamp(3) with time zone,
    authorized_by text,
    required_abilities integer DEFAULT 0 NOT NULL,
    CONSTRAINT workflow_version_pkey PRIMARY KEY (id),
    CONSTRAINT workflow_version_workflow_id_fkey FOREIGN KEY (workflow_id) REFERENCES workflow(id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE INDEX workflow_version_required_abilities_idx ON workflow_version (workflow_id, version) WHERE required_abilities <> 0;
CREATE UNIQUE INDEX workflow_version_workflow_id_version_key ON workflow_version (workflow_id, version);

CREATE TABLE workflow_favorite (
    user_id text NOT NULL,
    workflow_id text NOT NULL,
    CONSTRAINT workflow_favorite_pkey PRIMARY KEY (user_id, workflow_id),
    CONSTRAINT workflow_favorite_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id) ON UPDATE CASCADE ON DELETE CASCADE,
    CONSTRAINT workflow_favorite_workflow_id_fkey FOREIGN KEY (workflow_id) REFERENCES workflow(id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE INDEX workflow_favorite_workflow_id_idx ON workflow_favorite (workflow_id);

-- Who has a workflow open. Nothing is lost with it. The first name of this table is in the names of its NOT NULL constraints, which
-- PostgreSQL keeps from version 18 on.
CREATE UNLOGGED TABLE presence (
    id text CONSTRAINT visit_id_not_null NOT NULL,
    workflow_id text CONSTRAINT visit_workflow_id_not_null NOT NULL,
    user_id text CONSTRAINT visit_user_id_not_null NOT NULL,
    since timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP CONSTRAINT visit_since_not_null NOT NULL,
    until timestamp(3) with time zone CONSTRAINT visit_until_not_null NOT NULL,
    CONSTRAINT presence_pkey PRIMARY KEY (id),
    CONSTRAINT presence_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id) ON UPDATE CASCADE ON DELETE CASCADE,
    CONSTRAINT presence_workflow_id_fkey FOREIGN KEY (workflow_id) REFERENCES workflow(id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE INDEX presence_user_id_idx ON presence (user_id);
CREATE INDEX presence_workflow_id_idx ON presence (workflow_id);

-- Changes of one person that cannot be saved as a version because their definition has errors.
CREATE TABLE invalid_draft (
    workflow_id text NOT NULL,
    user_id text NOT NULL,
    version integer NOT NULL,
    name text NOT NULL,
    definition json NOT NULL,
    issues jsonb NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    CONSTRAINT invalid_draft_pkey PRIMARY KEY (workflow_id, user_id),
    CONSTRAINT invalid_draft_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id) ON UPDATE CASCADE ON DELETE CASCADE,
    CONSTRAINT invalid_draft_workflow_id_fkey FOREIGN KEY (workflow_id) REFERENCES workflow(id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE INDEX invalid_draft_user_id_idx ON invalid_draft (user_id);

-- Tests of workflows: an input, what nodes give in place of running, and what is expected.
CREATE TABLE workflow_test (
    id text NOT NULL,
    workflow_id text NOT NULL,
    name text NOT NULL,
    input json NOT NULL,
    mocks json NOT NULL,
    expectations json NOT NULL,
    last_result json,
    created_by text,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    CONSTRAINT workflow_test_pkey PRIMARY KEY (id),
    CONSTRAINT workflow_test_workflow_id_fkey FOREIGN KEY (workflow_id) REFERENCES workflow(id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE INDEX workflow_test_workflow_id_created_at_id_idx ON workflow_test (workflow_id, created_at DESC, id DESC);

-- Outputs of nodes that runs from the editor take in place of running the nodes.
CREATE TABLE workflow_pin (
    workflow_id text NOT NULL,
    node_id text NOT NULL,
    output json NOT NULL,
    size integer NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    updated_by text,
    updated_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    CONSTRAINT workflow_pin_pkey PRIMARY KEY (workflow_id, node_id),
    CONSTRAINT workflow_pin_workflow_id_fkey FOREIGN KEY (workflow_id) REFERENCES workflow(id) ON UPDATE CASCADE ON DELETE CASCADE
);

-- Which workflow of a project a workflow is, and the version that the last push left.
CREATE TABLE project_workflow (
    workflow_id text NOT NULL,
    workspace_id text NOT NULL,
    project text NOT NULL,
    key text NOT NULL,
    version integer NOT NULL,
    pushed_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    CONSTRAINT project_workflow_pkey PRIMARY KEY (workflow_id),
    CONSTRAINT project_workflow_workflow_id_fkey FOREIGN KEY (workflow_id) REFERENCES workflow(id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE UNIQUE INDEX project_workflow_workspace_id_project_key_key ON project_workflow (workspace_id, project, key);

-- A run's row is written three times: at its acceptance, its claim and its end. There is room for all three on its page, which keeps the
-- updates out of the indexes. `claims` is no longer used.
CREATE TABLE execution (
    id text NOT NULL,
    workspace_id text NOT NULL,
    workflow_id text NOT NULL,
    workflow_version integer NOT NULL,
    status text NOT NULL,
    trigger text NOT NULL,
    input json NOT NULL,
    output json,
    error json,
    created_by text,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    started_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    completed_at timestamp(3) with time zone,
    worker_id text,
    available_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP,
    claims integer DEFAULT 0 NOT NULL,
    revision integer DEFAULT 0 NOT NULL,
    cancel_requested_at timestamp(3) with time zone,
    depth integer DEFAULT 0 NOT NULL,
    is_awaited boolean DEFAULT false NOT NULL,
    override json,
    parent_attempt integer,
    parent_id text,
    parent_node text,
    rerun_of text,
    is_limited boolean DEFAULT false NOT NULL,
    queued_at timestamp(3) with time zone,
    until_node text,
    deaths integer DEFAULT 0 NOT NULL,
    died_at timestamp(3) with time zone,
    is_alone boolean DEFAULT false NOT NULL,
    root_id text,
    deadline_at timestamp(3) with time zone,
    data_removed_at timestamp(3) with time zone,
    triggered_by json,
    trace_parent text,
    required_abilities integer DEFAULT 0 NOT NULL,
    CONSTRAINT execution_pkey PRIMARY KEY (id),
    CONSTRAINT execution_workflow_id_fkey FOREIGN KEY (workflow_id) REFERENCES workflow(id) ON UPDATE CASCADE ON DELETE CASCADE
) WITH (autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_threshold='500', autovacuum_vacuum_insert_scale_factor='0.1', autovacuum_analyze_scale_factor='0.05', fillfactor='45');
-- The queue of the runs that go alone, after a process died under them.
CREATE INDEX execution_alone_idx ON execution (workspace_id, available_at) WHERE worker_id IS NULL AND available_at IS NOT NULL AND is_alone;
-- Children that somebody waits for, while they go on.
CREATE INDEX execution_awaited_idx ON execution (parent_id) WHERE is_awaited AND status NOT IN ('completed', 'failed');
-- One child for each try of a node, however often the try is made.
CREATE UNIQUE INDEX execution_child_key ON execution (parent_id, parent_node, parent_attempt) WHERE parent_id IS NOT NULL;
CREATE INDEX execution_died_at_idx ON execution (died_at) WHERE died_at IS NOT NULL;
-- Due runs, the oldest first. Only queries that ask for `completed_at IS NULL` can use it: those for the runs of one workspace have their own.
CREATE INDEX execution_due_idx ON execution (is_alone, available_at) WHERE worker_id IS NULL AND available_at IS NOT NULL AND completed_at IS NULL;
CREATE INDEX execution_failed_idx ON execution (workspace_id, created_at DESC, id DESC) WHERE status = 'failed';
CREATE INDEX execution_limited_idx ON execution (workspace_id, workflow_id) WHERE is_limited AND queued_at IS NULL AND status NOT IN ('completed', 'failed');
CREATE INDEX execution_live_idx ON execution (workspace_id, created_at DESC, id DESC) WHERE completed_at IS NULL;
-- Runs that end at one node: few of all runs, listed and counted by themselves.
CREATE INDEX execution_partial_idx ON execution (workspace_id, created_at DESC, id DESC) WHERE until_node IS NOT NULL;
-- The queue by workspace: a claim hops from one waiting workspace to the next and takes each one's oldest runs.
CREATE INDEX execution_queue_idx ON execution (workspace_id, available_at) WHERE worker_id IS NULL AND available_at IS NOT NULL;
CREATE INDEX execution_queued_idx ON execution (workspace_id, workflow_id, queued_at, id) WHERE queued_at IS NOT NULL AND status = 'pending';
-- Runs that a worker has.
CREATE INDEX execution_worker_id_idx ON execution (worker_id) WHERE worker_id IS NOT NULL;
CREATE INDEX execution_workflow_id_created_at_id_idx ON execution (workflow_id, created_at DESC, id DESC);
CREATE INDEX execution_workspace_id_created_at_id_idx ON execution (workspace_id, created_at DESC, id DESC);
CREATE INDEX execution_workspace_id_trigger_created_at_id_idx ON execution (workspace_id, trigger, created_at DESC, id DESC);

CREATE TABLE node_result (
    execution_id text NOT NULL,
    node_id text NOT NULL,
    status text NOT NULL,
    port text,
    attempts integer NOT NULL,
    output json,
    error json,
    started_at timestamp(3) with time zone,
    completed_at timestamp(3) with time zone,
    wake_at timestamp(3) with time zone,
    revision integer NOT NULL,
    held json,
    large_bytes integer,
    tries json,
    round integer,
    child_id text,
    CONSTRAINT node_result_pkey PRIMARY KEY (execution_id, node_id)
) WITH (fillfactor='70', autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_threshold='500', autovacuum_vacuum_insert_scale_factor='0.1', autovacuum_analyze_scale_factor='0.05');
-- The parents that wait for a child.
CREATE INDEX node_result_child_idx ON node_result (child_id) WHERE status = 'running' AND child_id IS NOT NULL;

CREATE TABLE log_entry (
    id bigserial NOT NULL,
    execution_id text NOT NULL,
    node_id text,
    level text NOT NULL,
    message text NOT NULL,
    "timestamp" timestamp(3) with time zone NOT NULL,
    CONSTRAINT log_entry_pkey PRIMARY KEY (id),
    CONSTRAINT log_entry_execution_id_fkey FOREIGN KEY (execution_id) REFERENCES execution(id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE INDEX log_entry_execution_id_id_idx ON log_entry (execution_id, id);

CREATE TABLE decision (
    execution_id text NOT NULL,
    node_id text NOT NULL,
    decision text NOT NULL,
    comment text,
    decided_by text NOT NULL,
    decided_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    data json,
    CONSTRAINT decision_pkey PRIMARY KEY (execution_id, node_id),
    CONSTRAINT decision_execution_id_fkey FOREIGN KEY (execution_id) REFERENCES execution(id) ON UPDATE CASCADE ON DELETE CASCADE
);

-- The response of a run to the caller that waits for it: that of the first `respond` node.
CREATE TABLE execution_answer (
    execution_id text NOT NULL,
    answer json NOT NULL,
    CONSTRAINT execution_answer_pkey PRIMARY KEY (execution_id),
    CONSTRAINT execution_answer_execution_id_fkey FOREIGN KEY (execution_id) REFERENCES execution(id) ON UPDATE CASCADE ON DELETE CASCADE
);

-- What people say about runs: a rating, tags, a note, and whether the clean-up keeps them.
CREATE TABLE execution_annotation (
    execution_id text NOT NULL,
    workspace_id text NOT NULL,
    rating text,
    tags text[] DEFAULT ARRAY[]::text[],
    note text DEFAULT '' NOT NULL,
    is_kept boolean DEFAULT false NOT NULL,
    updated_by text,
    updated_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    CONSTRAINT execution_annotation_pkey PRIMARY KEY (execution_id),
    CONSTRAINT execution_annotation_execution_id_fkey FOREIGN KEY (execution_id) REFERENCES execution(id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE INDEX execution_annotation_workspace_id_updated_at_idx ON execution_annotation (workspace_id, updated_at DESC);

-- What was posted to the addresses at which runs wait: one call for each.
CREATE TABLE received_call (
    execution_id text NOT NULL,
    node_id text NOT NULL,
    value json NOT NULL,
    received_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    CONSTRAINT received_call_pkey PRIMARY KEY (execution_id, node_id),
    CONSTRAINT received_call_execution_id_fkey FOREIGN KEY (execution_id) REFERENCES execution(id) ON UPDATE CASCADE ON DELETE CASCADE
);

-- A run and all that descends from it: how many runs it has led to is counted at its root. The row lock makes the count exact across processes.
CREATE TABLE run_family (
    root_id text NOT NULL,
    descendants integer NOT NULL,
    CONSTRAINT run_family_pkey PRIMARY KEY (root_id),
    CONSTRAINT run_family_root_id_fkey FOREIGN KEY (root_id) REFERENCES execution(id) ON UPDATE CASCADE ON DELETE CASCADE
);

-- Where runs are partitioned, this does what a unique index does otherwise: a partitioned table cannot have one without its partition key.
CREATE TABLE run_child (
    parent_id text NOT NULL,
    parent_node text NOT NULL,
    parent_attempt integer NOT NULL,
    CONSTRAINT run_child_pkey PRIMARY KEY (parent_id, parent_node, parent_attempt)
);

-- One row for each thing that is to follow the end of a run. It is written by the statement that ends the run.
CREATE TABLE run_ending (
    execution_id text NOT NULL,
    kind text NOT NULL,
    due_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    tries integer DEFAULT 0 NOT NULL,
    workspace_id text NOT NULL,
    CONSTRAINT run_ending_pkey PRIMARY KEY (execution_id, kind)
);
-- For loose index scans: the workspaces that wait, and the oldest rows of each.
CREATE INDEX run_ending_clean_idx ON run_ending (workspace_id, due_at) WHERE kind = 'clean';
CREATE INDEX run_ending_follow_idx ON run_ending (workspace_id, due_at) WHERE kind <> 'clean';

-- How many executions have ended, so that a list's `total` needs no count over millions of rows. One row per change, added up in the
-- background; `scope` is the workspace, by the hour, and the workflow, for all time.
CREATE TABLE execution_tally (
    id bigserial NOT NULL,
    scope text NOT NULL,
    trigger text NOT NULL,
    status text NOT NULL,
    hour timestamp(3) with time zone NOT NULL,
    count integer NOT NULL,
    is_sum boolean DEFAULT false NOT NULL,
    CONSTRAINT execution_tally_pkey PRIMARY KEY (id)
);
-- Changes are added to the one sum of their kind.
CREATE INDEX execution_tally_change_idx ON execution_tally (id) WHERE NOT is_sum;
CREATE INDEX execution_tally_scope_trigger_status_hour_count_idx ON execution_tally (scope, trigger, status, hour, count);
CREATE UNIQUE INDEX execution_tally_sum_key ON execution_tally (scope, trigger, status, hour) WHERE is_sum;

CREATE TABLE worker (
    id text NOT NULL,
    started_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    lease_until timestamp(3) with time zone NOT NULL,
    abilities integer,
    CONSTRAINT worker_pkey PRIMARY KEY (id)
) WITH (fillfactor='50', autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='100');

-- `response`: how a delivery is answered; null: with the id of its run, at once. `cors`: pages that may call it by script.
CREATE TABLE webhook (
    id text NOT NULL,
    workflow_id text NOT NULL,
    path text NOT NULL,
    secret text NOT NULL,
    created_by text,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    old_secret text,
    old_secret_until timestamp(3) with time zone,
    methods text[] DEFAULT ARRAY['POST'::text],
    verification jsonb,
    input text DEFAULT 'body' NOT NULL,
    allowed_ips text[] DEFAULT ARRAY[]::text[],
    enabled boolean DEFAULT true NOT NULL,
    response json,
    allow_without_expiry boolean DEFAULT true NOT NULL,
    cors jsonb,
    CONSTRAINT webhook_pkey PRIMARY KEY (id),
    CONSTRAINT webhook_workflow_id_fkey FOREIGN KEY (workflow_id) REFERENCES workflow(id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE UNIQUE INDEX webhook_workflow_id_path_key ON webhook (workflow_id, path);

CREATE TABLE webhook_delivery (
    id text NOT NULL,
    webhook_id text NOT NULL,
    received_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    verdict text NOT NULL,
    reason text,
    sender_id text,
    execution_id text,
    ip_address text NOT NULL,
    user_agent text NOT NULL,
    body json,
    unique_id text,
    replay_of text,
    CONSTRAINT webhook_delivery_pkey PRIMARY KEY (id),
    CONSTRAINT webhook_delivery_webhook_id_fkey FOREIGN KEY (webhook_id) REFERENCES webhook(id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE INDEX webhook_delivery_received_at_idx ON webhook_delivery (received_at);
-- What was not accepted is kept in a small number; this finds what is too much.
CREATE INDEX webhook_delivery_surplus_idx ON webhook_delivery (webhook_id, received_at DESC, id DESC) WHERE verdict <> 'accepted';
CREATE INDEX webhook_delivery_webhook_id_received_at_id_idx ON webhook_delivery (webhook_id, received_at DESC, id DESC);
-- A sender's id stands for one delivery.
CREATE UNIQUE INDEX webhook_delivery_webhook_id_unique_id_key ON webhook_delivery (webhook_id, unique_id);

-- Who waits for a test call of which webhook. One row for each person and workflow.
CREATE TABLE webhook_listener (
    workflow_id text NOT NULL,
    user_id text NOT NULL,
    webhook_id text NOT NULL,
    since timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    until timestamp(3) with time zone NOT NULL,
    CONSTRAINT webhook_listener_pkey PRIMARY KEY (workflow_id, user_id),
    CONSTRAINT webhook_listener_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id) ON UPDATE CASCADE ON DELETE CASCADE,
    CONSTRAINT webhook_listener_webhook_id_fkey FOREIGN KEY (webhook_id) REFERENCES webhook(id) ON UPDATE CASCADE ON DELETE CASCADE,
    CONSTRAINT webhook_listener_workflow_id_fkey FOREIGN KEY (workflow_id) REFERENCES workflow(id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE INDEX webhook_listener_user_id_idx ON webhook_listener (user_id);
CREATE INDEX webhook_listener_webhook_id_idx ON webhook_listener (webhook_id);

-- Deliveries that were accepted in maintenance. Without foreign keys: rows are forwarded to another database before the rows they name are.
CREATE TABLE held_delivery (
    execution_id text NOT NULL,
    workspace_id text NOT NULL,
    webhook_id text NOT NULL,
    sender_id text,
    submission json NOT NULL,
    input json NOT NULL,
    bytes integer NOT NULL,
    received_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    CONSTRAINT held_delivery_pkey PRIMARY KEY (execution_id)
);
CREATE UNIQUE INDEX held_delivery_webhook_id_sender_id_key ON held_delivery (webhook_id, sender_id);
CREATE INDEX held_delivery_workspace_id_idx ON held_delivery (workspace_id);

CREATE TABLE schedule (
    id text NOT NULL,
    workflow_id text NOT NULL,
    cron text NOT NULL,
    timezone text NOT NULL,
    input json NOT NULL,
    enabled boolean NOT NULL,
    overlap text NOT NULL,
    next_run_at timestamp(3) with time zone,
    last_run_at timestamp(3) with time zone,
    last_execution_id text,
    last_error text,
    created_by text,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    last_missed_at timestamp(3) with time zone,
    last_missed_reason text,
    CONSTRAINT schedule_pkey PRIMARY KEY (id),
    CONSTRAINT schedule_workflow_id_fkey FOREIGN KEY (workflow_id) REFERENCES workflow(id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE INDEX schedule_enabled_next_run_at_idx ON schedule (enabled, next_run_at);
CREATE INDEX schedule_workflow_id_idx ON schedule (workflow_id);

-- Polls ask a source for new items and start runs with them.
CREATE TABLE poll (
    id text NOT NULL,
    workflow_id text NOT NULL,
    name text NOT NULL,
    interval_ms integer,
    cron text,
    timezone text,
    node json NOT NULL,
    items text NOT NULL,
    key text NOT NULL,
    cursor_expression text,
    deliver text NOT NULL,
    first text NOT NULL,
    enabled boolean NOT NULL,
    cursor json,
    first_polled_at timestamp(3) with time zone,
    next_poll_at timestamp(3) with time zone NOT NULL,
    lease_token text,
    lease_until timestamp(3) with time zone,
    failures integer DEFAULT 0 NOT NULL,
    last_polled_at timestamp(3) with time zone,
    last_items integer,
    last_new_items integer,
    last_error text,
    last_refused_at timestamp(3) with time zone,
    last_refused_reason text,
    authorized_by text,
    created_by text,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    CONSTRAINT poll_pkey PRIMARY KEY (id),
    CONSTRAINT poll_workflow_id_fkey FOREIGN KEY (workflow_id) REFERENCES workflow(id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE INDEX poll_enabled_next_poll_at_idx ON poll (enabled, next_poll_at);
-- The polls under way.
CREATE INDEX poll_lease_idx ON poll (lease_token) WHERE lease_token IS NOT NULL;
CREATE INDEX poll_workflow_id_idx ON poll (workflow_id);

-- The keys of items that a poll has seen, hashed.
CREATE TABLE poll_seen (
    poll_id text NOT NULL,
    key text NOT NULL,
    returned_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    CONSTRAINT poll_seen_pkey PRIMARY KEY (poll_id, key),
    CONSTRAINT poll_seen_poll_id_fkey FOREIGN KEY (poll_id) REFERENCES poll(id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE INDEX poll_seen_poll_id_returned_at_idx ON poll_seen (poll_id, returned_at);

CREATE TABLE form (
    id text NOT NULL,
    workflow_id text NOT NULL,
    path text NOT NULL,
    title text NOT NULL,
    description text DEFAULT '' NOT NULL,
    fields json NOT NULL,
    access text NOT NULL,
    response json NOT NULL,
    created_by text,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    CONSTRAINT form_pkey PRIMARY KEY (id),
    CONSTRAINT form_workflow_id_fkey FOREIGN KEY (workflow_id) REFERENCES workflow(id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE UNIQUE INDEX form_workflow_id_path_key ON form (workflow_id, path);

-- The same page of a form sent twice starts one run.
CREATE TABLE form_post (
    id text NOT NULL,
    form_id text NOT NULL,
    execution_id text NOT NULL,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    CONSTRAINT form_post_pkey PRIMARY KEY (id),
    CONSTRAINT form_post_form_id_fkey FOREIGN KEY (form_id) REFERENCES form(id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE INDEX form_post_created_at_idx ON form_post (created_at);
CREATE INDEX form_post_form_id_idx ON form_post (form_id);

-- Pages on which a message starts a run.
CREATE TABLE chat (
    id text NOT NULL,
    workflow_id text NOT NULL,
    path text NOT NULL,
    title text NOT NULL,
    greeting text DEFAULT '' NOT NULL,
    placeholder text DEFAULT '' NOT NULL,
    examples json NOT NULL,
    access text NOT NULL,
    takes_files boolean DEFAULT false NOT NULL,
    enabled boolean DEFAULT true NOT NULL,
    created_by text,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    CONSTRAINT chat_pkey PRIMARY KEY (id),
    CONSTRAINT chat_workflow_id_fkey FOREIGN KEY (workflow_id) REFERENCES workflow(id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE UNIQUE INDEX chat_workflow_id_path_key ON chat (workflow_id, path);

CREATE TABLE alert (
    id text NOT NULL,
    workspace_id text NOT NULL,
    event text NOT NULL,
    workflow_id text,
    tag text,
    emails text[] DEFAULT '{}',
    webhook text,
    secret text,
    throttle_minutes integer NOT NULL,
    is_enabled boolean DEFAULT true NOT NULL,
    last_sent_at timestamp(3) with time zone,
    last_error text,
    created_by text,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    CONSTRAINT alert_pkey PRIMARY KEY (id),
    CONSTRAINT alert_workflow_id_fkey FOREIGN KEY (workflow_id) REFERENCES workflow(id) ON UPDATE CASCADE ON DELETE CASCADE,
    CONSTRAINT alert_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspace(id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE INDEX alert_workflow_id_idx ON alert (workflow_id);
CREATE INDEX alert_workspace_id_event_idx ON alert (workspace_id, event);

CREATE TABLE alert_event (
    id bigserial NOT NULL,
    event text NOT NULL,
    workspace_id text NOT NULL,
    workflow_id text,
    execution_id text,
    credential_id text,
    at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    CONSTRAINT alert_event_pkey PRIMARY KEY (id)
);
CREATE INDEX alert_event_workspace_id_id_idx ON alert_event (workspace_id, id);

-- When an alert was last sent for a workflow or credential.
CREATE TABLE alert_throttle (
    alert_id text NOT NULL,
    subject text NOT NULL,
    sent_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT alert_throttle_pkey PRIMARY KEY (alert_id, subject),
    CONSTRAINT alert_throttle_alert_id_fkey FOREIGN KEY (alert_id) REFERENCES alert(id) ON UPDATE CASCADE ON DELETE CASCADE
);

CREATE TABLE alert_notice (
    id text NOT NULL,
    alert_id text NOT NULL,
    body json NOT NULL,
    due_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    tries integer DEFAULT 0 NOT NULL,
    workspace_id text NOT NULL,
    CONSTRAINT alert_notice_pkey PRIMARY KEY (id),
    CONSTRAINT alert_notice_alert_id_fkey FOREIGN KEY (alert_id) REFERENCES alert(id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE INDEX alert_notice_alert_id_idx ON alert_notice (alert_id);
CREATE INDEX alert_notice_workspace_id_due_at_idx ON alert_notice (workspace_id, due_at);

-- Whether the latest run of a workflow failed; kept where alerts ask for it.
CREATE TABLE workflow_health (
    workflow_id text NOT NULL,
    is_failing boolean NOT NULL,
    ended_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT workflow_health_pkey PRIMARY KEY (workflow_id),
    CONSTRAINT workflow_health_workflow_id_fkey FOREIGN KEY (workflow_id) REFERENCES workflow(id) ON UPDATE CASCADE ON DELETE CASCADE
);

-- Rows outlive their workspace until their bytes are removed, so there is no foreign key to it.
CREATE TABLE file (
    id text NOT NULL,
    workspace_id text NOT NULL,
    name text NOT NULL,
    content_type text NOT NULL,
    size bigint NOT NULL,
    sha256 text NOT NULL,
    created_by text,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    stored_at timestamp(3) with time zone,
    removed_at timestamp(3) with time zone,
    CONSTRAINT file_pkey PRIMARY KEY (id)
);
CREATE INDEX file_removed_at_idx ON file (removed_at);
CREATE INDEX file_workspace_id_idx ON file (workspace_id);

-- The executions that name a file.
CREATE TABLE file_use (
    execution_id text NOT NULL,
    file_id text NOT NULL,
    CONSTRAINT file_use_pkey PRIMARY KEY (execution_id, file_id),
    CONSTRAINT file_use_execution_id_fkey FOREIGN KEY (execution_id) REFERENCES execution(id) ON UPDATE CASCADE ON DELETE CASCADE,
    CONSTRAINT file_use_file_id_fkey FOREIGN KEY (file_id) REFERENCES file(id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE INDEX file_use_file_id_idx ON file_use (file_id);

-- When to look whether a file is still needed.
CREATE TABLE file_check (
    id bigserial NOT NULL,
    file_id text NOT NULL,
    due_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    CONSTRAINT file_check_pkey PRIMARY KEY (id)
);
CREATE INDEX file_check_due_at_idx ON file_check (due_at);

-- Bytes of the files of each workspace, for its quota.
CREATE TABLE file_tally (
    workspace_id text NOT NULL,
    bytes bigint NOT NULL,
    CONSTRAINT file_tally_pkey PRIMARY KEY (workspace_id),
    CONSTRAINT file_tally_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspace(id) ON UPDATE CASCADE ON DELETE CASCADE
);

-- Tables of workspaces. The rows of each are in a table of its own, which the service creates under the id of the row here.
CREATE TABLE data_table (
    id text NOT NULL,
    workspace_id text NOT NULL,
    name text NOT NULL,
    columns json NOT NULL,
    next_column integer NOT NULL,
    indexes text[] DEFAULT ARRAY[]::text[],
    is_indexed boolean DEFAULT true NOT NULL,
    analyzed_rows bigint DEFAULT 0 NOT NULL,
    created_by text,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    CONSTRAINT data_table_pkey PRIMARY KEY (id),
    CONSTRAINT data_table_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspace(id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE UNIQUE INDEX data_table_workspace_id_name_key ON data_table (workspace_id, name);

-- What each change adds to the number and size of a table's rows.
CREATE TABLE data_table_tally (
    id bigserial NOT NULL,
    table_id text NOT NULL,
    rows bigint NOT NULL,
    bytes bigint NOT NULL,
    CONSTRAINT data_table_tally_pkey PRIMARY KEY (id),
    CONSTRAINT data_table_tally_table_id_fkey FOREIGN KEY (table_id) REFERENCES data_table(id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE INDEX data_table_tally_table_id_idx ON data_table_tally (table_id);

-- Files that rows of tables name. Triggers on tables with JSON columns write these rows with the values.
CREATE TABLE row_file_use (
    table_id text NOT NULL,
    row_id text NOT NULL,
    column_id text NOT NULL,
    file_id text NOT NULL,
    CONSTRAINT row_file_use_pkey PRIMARY KEY (table_id, row_id, column_id, file_id),
    CONSTRAINT row_file_use_file_id_fkey FOREIGN KEY (file_id) REFERENCES file(id) ON UPDATE CASCADE ON DELETE CASCADE,
    CONSTRAINT row_file_use_table_id_fkey FOREIGN KEY (table_id) REFERENCES data_table(id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE INDEX row_file_use_file_id_idx ON row_file_use (file_id);

-- What `remember` nodes keep under one key: a value, or a list of items that were seen.
CREATE TABLE remembered (
    id bigserial NOT NULL,
    workspace_id text NOT NULL,
    workflow_id text,
    scope_id text NOT NULL,
    key text NOT NULL,
    is_list boolean NOT NULL,
    value json,
    expires_at timestamp(3) with time zone,
    updated_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    CONSTRAINT remembered_pkey PRIMARY KEY (id),
    CONSTRAINT remembered_workflow_id_fkey FOREIGN KEY (workflow_id) REFERENCES workflow(id) ON UPDATE CASCADE ON DELETE CASCADE,
    CONSTRAINT remembered_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspace(id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE INDEX remembered_expires_at_idx ON remembered (expires_at);
CREATE UNIQUE INDEX remembered_scope_id_key_is_list_key ON remembered (scope_id, key, is_list);
CREATE INDEX remembered_workflow_id_idx ON remembered (workflow_id);
CREATE INDEX remembered_workspace_id_idx ON remembered (workspace_id);

CREATE TABLE remembered_item (
    list_id bigint NOT NULL,
    item text NOT NULL,
    expires_at timestamp(3) with time zone,
    CONSTRAINT remembered_item_pkey PRIMARY KEY (list_id, item),
    CONSTRAINT remembered_item_list_id_fkey FOREIGN KEY (list_id) REFERENCES remembered(id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE INDEX remembered_item_expires_at_idx ON remembered_item (expires_at);

-- Entries are written once and never changed. Each waits for its place in the chain.
CREATE TABLE audit_entry (
    id text NOT NULL,
    sequence bigserial NOT NULL,
    workspace_id text,
    "timestamp" timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    category text NOT NULL,
    action text NOT NULL,
    result text NOT NULL,
    actor json NOT NULL,
    resource json NOT NULL,
    metadata json NOT NULL,
    CONSTRAINT audit_entry_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX audit_entry_sequence_key ON audit_entry (sequence);
CREATE INDEX audit_entry_workspace_id_timestamp_sequence_idx ON audit_entry (workspace_id, "timestamp" DESC, sequence DESC);

CREATE TABLE audit_waiting (
    sequence bigint NOT NULL,
    CONSTRAINT audit_waiting_pkey PRIMARY KEY (sequence)
);

-- The places of entries in their chain, a stretch of them in a row. Hashes cannot be compressed.
CREATE TABLE audit_block (
    chain text NOT NULL,
    first_position bigint NOT NULL,
    sequences bigint[],
    hashes bytea NOT NULL,
    CONSTRAINT audit_block_pkey PRIMARY KEY (chain, first_position)
);
ALTER TABLE ONLY audit_block ALTER COLUMN hashes SET STORAGE EXTERNAL;

CREATE TABLE audit_chain (
    id text NOT NULL,
    "position" bigint NOT NULL,
    hash text NOT NULL,
    pruned_position bigint DEFAULT 0 NOT NULL,
    pruned_hash text DEFAULT '' NOT NULL,
    seal text NOT NULL,
    CONSTRAINT audit_chain_pkey PRIMARY KEY (id)
);

CREATE TABLE outbox_mail (
    id text NOT NULL,
    workspace_id text,
    "from" text NOT NULL,
    "to" text[],
    subject text NOT NULL,
    text text,
    html text,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    attachments json,
    CONSTRAINT outbox_mail_pkey PRIMARY KEY (id)
);
CREATE INDEX outbox_mail_workspace_id_created_at_idx ON outbox_mail (workspace_id, created_at DESC);

CREATE TABLE stored_reply (
    scope text NOT NULL,
    body_hash text NOT NULL,
    reply text NOT NULL,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    CONSTRAINT stored_reply_pkey PRIMARY KEY (scope)
);
CREATE INDEX stored_reply_created_at_idx ON stored_reply (created_at);

-- Rate limits are counted by all processes together. Unlogged: a lost bucket is a full one.
CREATE UNLOGGED TABLE rate_bucket (
    name text NOT NULL,
    tokens double precision NOT NULL,
    updated_at timestamp(6) with time zone NOT NULL,
    revision bigint NOT NULL,
    leased double precision NOT NULL,
    leased_until timestamp(6) with time zone NOT NULL,
    CONSTRAINT rate_bucket_pkey PRIMARY KEY (name)
);

-- What is limited per day: one row per counter, begun anew with each day (UTC). Logged, because a restart must not give a workspace its
-- mails of the day again.
CREATE TABLE daily_use (
    scope text NOT NULL,
    day date NOT NULL,
    count integer NOT NULL,
    CONSTRAINT daily_use_pkey PRIMARY KEY (scope)
);

-- At most one row, while the service refuses changes.
CREATE TABLE maintenance (
    id boolean DEFAULT true NOT NULL,
    reason text NOT NULL,
    since timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    CONSTRAINT maintenance_id_check CHECK (id),
    CONSTRAINT maintenance_pkey PRIMARY KEY (id)
);

-- Lets as many of a workspace's queued runs go as there is room for, the oldest first. One caller at a time. A run that waits for a sub-workflow
-- does not count: both would wait for each other under a limit of one. The time limit of a run begins when it is let go.
CREATE FUNCTION admit_runs(of_workspace text) RETURNS integer
    LANGUAGE plpgsql
    AS $$
DECLARE
  room integer;
  admitted integer;
BEGIN
  PERFORM pg_advisory_xact_lock(7207001, hashtext(of_workspace));
  SELECT s.concurrency_limit - (SELECT count(*) FROM execution l WHERE l.workspace_id = of_workspace
      AND l.is_limited AND l.queued_at IS NULL AND l.status NOT IN ('completed', 'failed')
      AND NOT EXISTS (SELECT FROM execution c WHERE c.parent_id = l.id AND c.is_awaited AND c.status NOT IN ('completed', 'failed')))
    INTO room FROM workspace s WHERE s.id = of_workspace;
  WITH RECURSIVE queueing AS (
    (SELECT workflow_id FROM execution WHERE workspace_id = of_workspace AND queued_at IS NOT NULL AND status = 'pending'
      ORDER BY workflow_id LIMIT 1)
    UNION ALL
    SELECT (SELECT workflow_id FROM execution WHERE workspace_id = of_workspace AND queued_at IS NOT NULL
      AND status = 'pending' AND workflow_id > q.workflow_id ORDER BY workflow_id LIMIT 1)
    FROM queueing q WHERE q.workflow_id IS NOT NULL
  ),
  candidate AS (
    SELECT due.id, row_number() OVER (ORDER BY due.queued_at, due.id) AS place
    FROM queueing JOIN workflow w ON w.id = queueing.workflow_id CROSS JOIN LATERAL (
      SELECT id, queued_at FROM execution e
      WHERE e.workspace_id = of_workspace AND e.workflow_id = w.id AND e.queued_at IS NOT NULL AND e.status = 'pending'
      ORDER BY e.queued_at, e.id
      LIMIT CASE WHEN room IS NOT NULL OR w.concurrency_limit IS NOT NULL THEN greatest(0, least(room, w.concurrency_limit - (SELECT count(*) FROM execution l
        WHERE l.workspace_id = of_workspace AND l.workflow_id = w.id
          AND l.is_limited AND l.queued_at IS NULL AND l.status NOT IN ('completed', 'failed')
          AND NOT EXISTS (SELECT FROM execution c WHERE c.parent_id = l.id AND c.is_awaited AND c.status NOT IN ('completed', 'failed'))))) END) due
  )
  UPDATE execution e SET queued_at = NULL, available_at = now(), deadline_at = now() + (e.deadline_at - e.started_at)
  FROM candidate c WHERE e.id = c.id AND (room IS NULL OR c.place <= room);
  GET DIAGNOSTICS admitted = ROW_COUNT;
  IF admitted > 0 THEN
    PERFORM pg_notify('weft_work', '');
  END IF;
  RETURN admitted;
END $$;

-- Once per statement, whoever stores runs: those that a limit holds for are queued, and let go if there is room. Runs that a release before
-- stores get what their versions require.
CREATE FUNCTION limit_runs() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
  of_workspace text;
BEGIN
  IF EXISTS (SELECT FROM workflow_version WHERE required_abilities <> 0) THEN
    UPDATE execution e SET required_abilities = v.required_abilities
    FROM added a JOIN workflow_version v ON v.workflow_id = a.workflow_id AND v.version = a.workflow_version
    WHERE e.id = a.id AND a.worker_id IS NULL AND v.required_abilities & ~a.required_abilities <> 0;
  END IF;
  FOR of_workspace IN
    SELECT DISTINCT a.workspace_id FROM added a JOIN workflow w ON w.id = a.workflow_id JOIN workspace s ON s.id = a.workspace_id
    WHERE a.worker_id IS NULL AND (w.concurrency_limit IS NOT NULL OR s.concurrency_limit IS NOT NULL OR w.settings ? 'timeoutMs')
    ORDER BY a.workspace_id
  LOOP
    UPDATE execution e SET deadline_at = e.started_at + (w.settings->>'timeoutMs')::bigint * interval '1 millisecond'
    FROM added a JOIN workflow w ON w.id = a.workflow_id
    WHERE e.id = a.id AND a.worker_id IS NULL AND a.completed_at IS NULL AND a.workspace_id = of_workspace AND w.settings ? 'timeoutMs';
    UPDATE execution e SET is_limited = true, queued_at = e.created_at, available_at = NULL
    FROM added a JOIN workflow w ON w.id = a.workflow_id JOIN workspace s ON s.id = a.workspace_id
    WHERE e.id = a.id AND a.worker_id IS NULL AND a.workspace_id = of_workspace AND (w.concurrency_limit IS NOT NULL OR s.concurrency_limit IS NOT NULL);
    PERFORM admit_runs(of_workspace);
    PERFORM 1 FROM added a JOIN execution e ON e.id = a.id JOIN workflow w ON w.id = a.workflow_id
      JOIN workspace s ON s.id = a.workspace_id
    WHERE a.workspace_id = of_workspace AND e.queued_at IS NOT NULL AND (
      (w.concurrency_limit IS NOT NULL AND w.concurrency_overflow = 'refuse')
      OR (s.concurrency_limit IS NOT NULL AND s.concurrency_overflow = 'refuse'));
    IF FOUND THEN
      RAISE EXCEPTION 'as many runs as allowed are under way' USING ERRCODE = 'WF001';
    END IF;
  END LOOP;
  RETURN NULL;
END $$;

-- Which of the runs that are about to be stored a concurrency limit refuses, so that one statement stores the others. Locks as `admit_runs`
-- does, so that what it counts stays true until the commit; `limit_runs` still refuses whole statements that did not ask.
CREATE FUNCTION refused_runs(runs text[], workflows text[]) RETURNS SETOF text
    LANGUAGE plpgsql
    AS $$
DECLARE
  of_workspace text;
  room bigint;
  flow record;
BEGIN
  FOR of_workspace IN
    SELECT DISTINCT s.id FROM workflow w JOIN workspace s ON s.id = w.workspace_id WHERE w.id = ANY(workflows)
      AND ((w.concurrency_limit IS NOT NULL AND w.concurrency_overflow = 'refuse') OR (s.concurrency_limit IS NOT NULL AND s.concurrency_overflow = 'refuse'))
    ORDER BY s.id
  LOOP
    PERFORM pg_advisory_xact_lock(7207001, hashtext(of_workspace));
    room := NULL;
    FOR flow IN
      WITH live AS (
        SELECT l.workflow_id, count(*) AS count FROM execution l
        WHERE l.workspace_id = of_workspace AND l.is_limited AND l.completed_at IS NULL AND l.status NOT IN ('completed', 'failed')
          AND NOT EXISTS (SELECT FROM execution c WHERE c.parent_id = l.id AND c.is_awaited AND c.status NOT IN ('completed', 'failed'))
        GROUP BY 1
      )
      SELECT w.id, s.concurrency_limit - (SELECT coalesce(sum(count), 0) FROM live) AS of_all,
        w.concurrency_limit - coalesce((SELECT count FROM live WHERE workflow_id = w.id), 0) AS own,
        coalesce(w.concurrency_limit IS NOT NULL AND w.concurrency_overflow = 'refuse', false)
          OR coalesce(s.concurrency_limit IS NOT NULL AND s.concurrency_overflow = 'refuse', false) AS is_refusing,
        (SELECT array_agg(r.id ORDER BY r.place) FROM unnest(runs, workflows) WITH ORDINALITY AS r(id, workflow_id, place) WHERE r.workflow_id = w.id) AS runs
      FROM workflow w JOIN workspace s ON s.id = w.workspace_id
      WHERE w.workspace_id = of_workspace AND w.id = ANY(workflows) AND (w.concurrency_limit IS NOT NULL OR s.concurrency_limit IS NOT NULL)
      ORDER BY w.id
    LOOP
      room := coalesce(room, flow.of_all);
      IF flow.is_refusing THEN
        RETURN QUERY SELECT unnest(flow.runs[greatest(0, least(room, flow.own)) + 1:]);
      END IF;
      room := room - least(greatest(0, least(room, flow.own)), cardinality(flow.runs));
    END LOOP;
  END LOOP;
END $$;

CREATE FUNCTION is_data_unwanted(settings jsonb, status text) RETURNS boolean
    LANGUAGE sql IMMUTABLE
    AS $$
  SELECT coalesce(settings->>'saveData' = 'none' OR (settings->>'saveData' = 'failed' AND status = 'completed'), false)
$$;

-- Whether an error of a run is its cancellation. The service writes the code first.
CREATE FUNCTION is_cancellation(run_error json) RETURNS boolean
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
  SELECT coalesce(run_error::text ~ '^\{"code" ?: ?"CANCELLED"', false)
$$;

-- Whether an error workflow or an alert follows. A completed run is news for alerts only while its workflow is failing.
CREATE FUNCTION is_followed(run_status text, run_trigger text, run_error json, of_workspace text, of_workflow text, workflow_settings jsonb, workspace_settings jsonb) RETURNS boolean
    LANGUAGE sql STABLE
    AS $$
  SELECT NOT is_cancellation(run_error) AND (
    (run_status = 'failed' AND run_trigger <> 'error'
      AND coalesce(workflow_settings->>'errorWorkflowId', workspace_settings->>'errorWorkflowId') IS NOT NULL)
    OR ((run_status = 'failed' OR EXISTS (SELECT FROM workflow_health h WHERE h.workflow_id = of_workflow AND h.is_failing))
      AND EXISTS (SELECT FROM alert l WHERE l.workspace_id = of_workspace AND l.is_enabled
        AND l.event IN ('run_failed', 'first_failure', 'run_recovered'))))
$$;

-- Usually the runs of a statement complete, are kept, and belong to workflows that do not fail. One look at the workflows finds that out;
-- `is_followed` is called for runs of other statements only. Without LATERAL, whose expressions are prepared anew for each row, and without a
-- join of the transition tables, which is planned for few rows and compares each with each.
CREATE FUNCTION tally_ended() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
  ended integer;
BEGIN
  INSERT INTO execution_tally (scope, trigger, status, hour, count)
  SELECT workspace_id, trigger, status, date_trunc('hour', created_at, 'UTC'), count(*)
  FROM after WHERE completed_at IS NOT NULL AND id NOT IN (SELECT id FROM before WHERE completed_at IS NOT NULL) GROUP BY 1, 2, 3, 4
  UNION ALL
  SELECT workflow_id, trigger, status, 'epoch', count(*)
  FROM after WHERE completed_at IS NOT NULL AND id NOT IN (SELECT id FROM before WHERE completed_at IS NOT NULL) GROUP BY 1, 2, 3;
  GET DIAGNOSTICS ended = ROW_COUNT;
  IF ended = 0 OR NOT (
    EXISTS (SELECT FROM after WHERE status = 'failed')
    OR EXISTS (
      SELECT FROM workflow w LEFT JOIN workflow_health h ON h.workflow_id = w.id
      WHERE w.id IN (SELECT workflow_id FROM after WHERE completed_at IS NOT NULL) AND (h.is_failing OR w.settings ? 'saveData')
    )
  ) THEN
    RETURN NULL;
  END IF;
  -- Data is removed a few seconds later, for those who read the result of a run as it ends.
  INSERT INTO run_ending (execution_id, kind, due_at, workspace_id)
  SELECT after.id, step.kind, now() + step.delay, s.id
  FROM after JOIN workflow w ON w.id = after.workflow_id JOIN workspace s ON s.id = after.workspace_id
  CROSS JOIN (VALUES ('clean', interval '5 seconds'), ('follow', interval '0')) step(kind, delay)
  WHERE after.completed_at IS NOT NULL AND after.id NOT IN (SELECT id FROM before WHERE completed_at IS NOT NULL)
    AND CASE step.kind WHEN 'clean' THEN is_data_unwanted(w.settings, after.status)
      ELSE is_followed(after.status, after.trigger, after.error, s.id, w.id, w.settings, s.settings) END;
  RETURN NULL;
END $$;

-- Runs that need nothing from outside are stored as they ended, by the hundred.
CREATE FUNCTION tally_stored() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
  ended integer;
BEGIN
  INSERT INTO execution_tally (scope, trigger, status, hour, count)
  SELECT workspace_id, trigger, status, date_trunc('hour', created_at, 'UTC'), count(*)
  FROM after WHERE completed_at IS NOT NULL GROUP BY 1, 2, 3, 4
  UNION ALL
  SELECT workflow_id, trigger, status, 'epoch', count(*)
  FROM after WHERE completed_at IS NOT NULL GROUP BY 1, 2, 3;
  GET DIAGNOSTICS ended = ROW_COUNT;
  IF ended = 0 OR NOT (
    EXISTS (SELECT FROM after WHERE status = 'failed')
    OR EXISTS (
      SELECT FROM workflow w LEFT JOIN workflow_health h ON h.workflow_id = w.id
      WHERE w.id IN (SELECT workflow_id FROM after WHERE completed_at IS NOT NULL) AND (h.is_failing OR w.settings ? 'saveData')
    )
  ) THEN
    RETURN NULL;
  END IF;
  INSERT INTO run_ending (execution_id, kind, due_at, workspace_id)
  SELECT after.id, step.kind, now() + step.delay, s.id
  FROM after JOIN workflow w ON w.id = after.workflow_id JOIN workspace s ON s.id = after.workspace_id
  CROSS JOIN (VALUES ('clean', interval '5 seconds'), ('follow', interval '0')) step(kind, delay)
  WHERE after.completed_at IS NOT NULL
    AND CASE step.kind WHEN 'clean' THEN is_data_unwanted(w.settings, after.status)
      ELSE is_followed(after.status, after.trigger, after.error, s.id, w.id, w.settings, s.settings) END;
  RETURN NULL;
END $$;

CREATE FUNCTION tally_removed() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  INSERT INTO execution_tally (scope, trigger, status, hour, count)
  SELECT s.scope, before.trigger, before.status, s.hour, -count(*)
  FROM before
  CROSS JOIN LATERAL (VALUES (before.workspace_id, date_trunc('hour', before.created_at, 'UTC')), (before.workflow_id, 'epoch')) s(scope, hour)
  WHERE before.completed_at IS NOT NULL
  GROUP BY 1, 2, 3, 4;
  RETURN NULL;
END $$;

-- AFTER DELETE on `execution`, with its old rows as `before`: removes the rows that belong to them. PostgreSQL keeps the plan of the first
-- call. One that reads whole tables, which suits small tables, would be slow for large ones.
CREATE FUNCTION remove_run_parts() RETURNS trigger
    LANGUAGE plpgsql
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_seqscan TO 'off'
    AS $$
BEGIN
  DELETE FROM node_result p USING before WHERE p.execution_id = before.id;
  DELETE FROM log_entry p USING before WHERE p.execution_id = before.id;
  DELETE FROM decision p USING before WHERE p.execution_id = before.id;
  DELETE FROM execution_answer p USING before WHERE p.execution_id = before.id;
  DELETE FROM execution_annotation p USING before WHERE p.execution_id = before.id;
  DELETE FROM received_call p USING before WHERE p.execution_id = before.id;
  DELETE FROM file_use p USING before WHERE p.execution_id = before.id;
  DELETE FROM run_family p USING before WHERE p.root_id = before.id;
  DELETE FROM run_child p USING before WHERE p.parent_id = before.id;
  RETURN NULL;
END $$;

-- BEFORE INSERT on a row of a partitioned `execution` with a parent: skips the row if the attempt has a child, as ON CONFLICT DO NOTHING would.
CREATE FUNCTION admit_child() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  INSERT INTO run_child (parent_id, parent_node, parent_attempt) VALUES (NEW.parent_id, NEW.parent_node, NEW.parent_attempt)
  ON CONFLICT DO NOTHING;
  IF FOUND THEN
    RETURN NEW;
  END IF;
  RETURN NULL;
END $$;

-- Processes of a release before write `held` alone. Their JSON begins with these fields, so that no escape has to be read.
CREATE FUNCTION describe_held() RETURNS trigger
    LANGUAGE plpgsql
    AS $_$
BEGIN
  NEW.round := substring(left(NEW.held::text, 100) FROM '^\{"round":(\d{1,9})[,}]')::integer;
  NEW.child_id := substring(left(NEW.held::text, 100) FROM '^\{"childId":"([A-Za-z0-9_-]+)"\}$');
  RETURN NEW;
END $_$;

-- Withholds a run from the claim of a worker that lacks an ability. Claims of this release do not ask for such runs.
CREATE FUNCTION withhold_run() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  IF OLD.required_abilities & ~coalesce((SELECT abilities FROM worker WHERE id = NEW.worker_id), 0) <> 0 THEN
    RETURN NULL;
  END IF;
  RETURN NEW;
END $$;

-- These are functions that no value makes fail: `->` fails on a NUL and on half a surrogate pair. The items of a loop in `node_result.held`, and
-- how many of its rounds run at a time. The service writes `{"items":[…],"concurrency":n}`. Null: it is another value.
CREATE FUNCTION loop_items(held json) RETURNS json
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $_$
  SELECT CASE WHEN starts_with(held::text, '{"items":[') THEN
    left(substr(held::text, 10), -length(substring(right(held::text, 40) FROM '\](,"concurrency":\d+\})$')))::json END
$_$;

CREATE FUNCTION loop_concurrency(held json) RETURNS integer
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $_$
  SELECT substring(right(held::text, 40) FROM '\],"concurrency":(\d{1,9})\}$')::integer
$_$;

-- JSON as `jsonb`, with U+FFFD in place of what that cannot hold. Null: it cannot hold it at all, such as a number with a million digits.
CREATE FUNCTION readable_json(value json) RETURNS jsonb
    LANGUAGE plpgsql STABLE PARALLEL RESTRICTED
    AS $$
BEGIN
  RETURN value::jsonb;
EXCEPTION WHEN data_exception OR program_limit_exceeded THEN
  BEGIN
    RETURN regexp_replace(value::text, '(?<!\\)((?:\\\\)*)\\u(?:0000|[Dd][89A-Fa-f][0-9A-Fa-f]{2})', '\1\\ufffd', 'g')::jsonb;
  EXCEPTION WHEN data_exception OR program_limit_exceeded THEN
    RETURN NULL;
  END;
END $$;

-- JSON can write the same key in many ways: each character of "$file" and of the id as \u and four digits, and any white space around the
-- colon. A quote inside a text is escaped, so no text contains what these patterns look for.
-- Whether JSON may name files. Cheap: it is asked for every input and output that is stored.
CREATE FUNCTION names_files(value json) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $_$
  SELECT strpos(value::text, '"$file"') > 0 OR (strpos(value::text, '\u00') > 0
    AND value::text ~ '"(?:\$|\\u0024)(?:f|\\u0066)(?:i|\\u0069)(?:l|\\u006[cC])(?:e|\\u0065)"')
$_$;

-- The ids that JSON gives for the key $file, as it is when it is parsed.
CREATE FUNCTION files_named(value json) RETURNS SETOF text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $_$
  SELECT DISTINCT named.id FROM regexp_matches(value::text,
    '"(?:\$|\\u0024)(?:f|\\u0066)(?:i|\\u0069)(?:l|\\u006[cC])(?:e|\\u0065)"\s*:\s*("(?:[A-Za-z0-9_-]|\\u00[2-7][0-9a-fA-F]){6,69}")', 'g') AS m,
    LATERAL (SELECT m[1]::json #>> '{}' AS id) named
  WHERE named.id ~ '^file_[A-Za-z0-9_-]{1,64}$'
$_$;

-- Records which files of its workspace an execution names, in the transaction that stores the value. Ids of other workspaces are ignored. The
-- lock waits for a removal that is under way; the order prevents deadlocks.
CREATE FUNCTION note_files(execution text, workspace text, value json) RETURNS void
    LANGUAGE sql
    AS $$
  INSERT INTO file_use (execution_id, file_id)
  SELECT execution, f.id FROM (
    SELECT id FROM file
    WHERE workspace_id = workspace AND stored_at IS NOT NULL AND removed_at IS NULL
      AND id IN (SELECT named FROM files_named(value) AS named LIMIT 1000)
    ORDER BY id FOR KEY SHARE
  ) f
  ON CONFLICT DO NOTHING
$$;

CREATE FUNCTION note_files_of_execution() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  PERFORM note_files(NEW.id, NEW.workspace_id, NEW.input);
  PERFORM note_files(NEW.id, NEW.workspace_id, NEW.override);
  RETURN NULL;
END $$;

CREATE FUNCTION note_files_of_result() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
  workspace text := (SELECT workspace_id FROM execution WHERE id = NEW.execution_id);
BEGIN
  PERFORM note_files(NEW.execution_id, workspace, NEW.output);
  PERFORM note_files(NEW.execution_id, workspace, NEW.held);
  RETURN NULL;
END $$;

-- A file that lost a use may have lost its last one.
CREATE FUNCTION check_unused_file() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  INSERT INTO file_check (file_id) VALUES (OLD.file_id);
  RETURN NULL;
END $$;

-- Whether a cell may name files. Cheap: it is asked for every JSON cell that is stored.
CREATE FUNCTION cell_names_files(cell jsonb) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $_$
  SELECT cell IS NOT NULL AND strpos(cell::text, '"$file"') > 0
$_$;

-- The JSON columns of a table of a workspace.
CREATE FUNCTION json_columns_of(a_table text) RETURNS SETOF text
    LANGUAGE sql STABLE
    AS $$
  SELECT one->>'id' FROM data_table t, json_array_elements(t.columns) AS one WHERE t.id = a_table AND one->>'type' = 'json'
$$;

-- The statement that records which files of its workspace the cells of a column name, in the transaction that stores them. Ids of other
-- workspaces are ignored. The lock waits for a removal that is under way; the order prevents deadlocks. `source`: a table of rows, which a
-- function called by a trigger would not see.
CREATE FUNCTION note_files_sql(a_table text, a_column text, source text) RETURNS text
    LANGUAGE sql IMMUTABLE
    AS $_$
  SELECT format($sql$
    WITH named AS MATERIALIZED (
      SELECT DISTINCT r.id AS row_id, m[1] AS file_id
      FROM %3$I r, regexp_matches(r.%2$I::text, '"\$file": "(file_[A-Za-z0-9_-]{1,64})"', 'g') AS m WHERE cell_names_files(r.%2$I)
    ),
    kept AS MATERIALIZED (
      SELECT id FROM file
      WHERE workspace_id = (SELECT workspace_id FROM data_table WHERE id = %1$L) AND stored_at IS NOT NULL AND removed_at IS NULL
        AND id IN (SELECT file_id FROM named)
      ORDER BY id FOR KEY SHARE
    )
    INSERT INTO row_file_use (table_id, row_id, column_id, file_id)
    SELECT %1$L, named.row_id, %2$L, kept.id FROM named JOIN kept ON kept.id = named.file_id
    ON CONFLICT DO NOTHING
  $sql$, a_table, a_column, source)
$_$;

-- The table has the id of its row in data_table as its name.
CREATE FUNCTION note_files_of_rows() RETURNS trigger
    LANGUAGE plpgsql
    AS $_$
DECLARE
  col text;
  has_uses boolean := TG_OP <> 'INSERT' AND EXISTS (SELECT FROM row_file_use WHERE table_id = TG_TABLE_NAME);
BEGIN
  IF TG_OP = 'DELETE' THEN
    IF has_uses THEN
      DELETE FROM row_file_use u USING rows_before r WHERE u.table_id = TG_TABLE_NAME AND u.row_id = r.id;
    END IF;
    RETURN NULL;
  END IF;
  FOR col IN SELECT json_columns_of(TG_TABLE_NAME) LOOP
    IF has_uses THEN
      EXECUTE format($sql$
        DELETE FROM row_file_use u USING rows_after r
        WHERE u.table_id = %1$L AND u.column_id = %2$L AND u.row_id = r.id
          AND (r.%2$I IS NULL OR strpos(r.%2$I::text, '"$file": "' || u.file_id || '"') = 0)
      $sql$, TG_TABLE_NAME, col);
    END IF;
    EXECUTE note_files_sql(TG_TABLE_NAME, col, 'rows_after');
  END LOOP;
  RETURN NULL;
END $_$;

-- Makes a table with JSON columns count the files that its rows name; nothing for others. May be repeated.
CREATE FUNCTION watch_row_files(a_table text) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
  IF NOT EXISTS (SELECT json_columns_of(a_table)) OR to_regclass(quote_ident(a_table)) IS NULL THEN
    RETURN;
  END IF;
  EXECUTE format('CREATE OR REPLACE TRIGGER files_inserted AFTER INSERT ON %I REFERENCING NEW TABLE AS rows_after
    FOR EACH STATEMENT EXECUTE FUNCTION note_files_of_rows()', a_table);
  EXECUTE format('CREATE OR REPLACE TRIGGER files_changed AFTER UPDATE ON %I REFERENCING NEW TABLE AS rows_after
    FOR EACH STATEMENT EXECUTE FUNCTION note_files_of_rows()', a_table);
  EXECUTE format('CREATE OR REPLACE TRIGGER files_removed AFTER DELETE ON %I REFERENCING OLD TABLE AS rows_before
    FOR EACH STATEMENT EXECUTE FUNCTION note_files_of_rows()', a_table);
END $$;

-- Columns that are added or removed, by any release.
CREATE FUNCTION watch_changed_columns() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  DELETE FROM row_file_use WHERE table_id = NEW.id AND column_id NOT IN (SELECT json_columns_of(NEW.id));
  PERFORM watch_row_files(NEW.id);
  RETURN NULL;
END $$;

-- The rows go with their table, however that is removed.
CREATE FUNCTION drop_data_table() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  EXECUTE format('DROP TABLE IF EXISTS %I', OLD.id);
  RETURN NULL;
END $$;

CREATE FUNCTION tell_credential_expired() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  INSERT INTO alert_event (event, workspace_id, credential_id) SELECT 'credential_expired', NEW.workspace_id, NEW.id
  WHERE EXISTS (SELECT FROM alert WHERE workspace_id = NEW.workspace_id AND event = 'credential_expired' AND is_enabled);
  RETURN NULL;
END $$;

-- Processes of a release before do not name the workspace.
CREATE FUNCTION name_workspace_of_notice() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  SELECT workspace_id INTO NEW.workspace_id FROM alert WHERE id = NEW.alert_id;
  RETURN NEW;
END $$;

-- Entries and their places never change, and go only by retention, which says so.
CREATE FUNCTION audit_entry_guard() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  RAISE EXCEPTION 'the audit log is append-only';
END $$;

-- Whoever writes an entry has it wait for its place.
CREATE FUNCTION audit_entry_waits() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  INSERT INTO "audit_waiting" SELECT "sequence" FROM "fresh";
  RETURN NULL;
END $$;

CREATE TRIGGER credential_expired AFTER UPDATE ON credential FOR EACH ROW
  WHEN (NEW.status = 'expired' AND OLD.status <> 'expired') EXECUTE FUNCTION tell_credential_expired();

CREATE TRIGGER execution_ended AFTER UPDATE ON execution REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION tally_ended();
CREATE TRIGGER execution_files AFTER INSERT OR UPDATE OF input, override ON execution FOR EACH ROW
  WHEN (names_files(NEW.input) OR names_files(NEW.override)) EXECUTE FUNCTION note_files_of_execution();
CREATE TRIGGER execution_limit AFTER INSERT ON execution REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION limit_runs();
CREATE TRIGGER execution_parts AFTER DELETE ON execution REFERENCING OLD TABLE AS before FOR EACH STATEMENT EXECUTE FUNCTION remove_run_parts();
CREATE TRIGGER execution_removed AFTER DELETE ON execution REFERENCING OLD TABLE AS before FOR EACH STATEMENT EXECUTE FUNCTION tally_removed();
CREATE TRIGGER execution_stored_ended AFTER INSERT ON execution REFERENCING NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION tally_stored();
CREATE TRIGGER execution_withheld BEFORE UPDATE OF worker_id ON execution FOR EACH ROW
  WHEN (OLD.worker_id IS NULL AND NEW.worker_id IS NOT NULL AND OLD.required_abilities <> 0) EXECUTE FUNCTION withhold_run();

CREATE TRIGGER node_result_files AFTER INSERT OR UPDATE OF output, held ON node_result FOR EACH ROW
  WHEN (names_files(NEW.output) OR names_files(NEW.held)) EXECUTE FUNCTION note_files_of_result();
CREATE TRIGGER node_result_held BEFORE INSERT OR UPDATE OF held ON node_result FOR EACH ROW
  WHEN (NEW.held IS NOT NULL AND NEW.round IS NULL AND NEW.child_id IS NULL) EXECUTE FUNCTION describe_held();

CREATE TRIGGER name_workspace BEFORE INSERT ON alert_notice FOR EACH ROW
  WHEN (NEW.workspace_id IS NULL) EXECUTE FUNCTION name_workspace_of_notice();

CREATE TRIGGER file_use_removed AFTER DELETE ON file_use FOR EACH ROW EXECUTE FUNCTION check_unused_file();

CREATE TRIGGER data_table_columns_changed AFTER UPDATE OF columns ON data_table FOR EACH ROW
  WHEN (OLD.columns::text <> NEW.columns::text) EXECUTE FUNCTION watch_changed_columns();
CREATE TRIGGER data_table_dropped AFTER DELETE ON data_table FOR EACH ROW EXECUTE FUNCTION drop_data_table();

CREATE TRIGGER row_file_use_removed AFTER DELETE ON row_file_use FOR EACH ROW EXECUTE FUNCTION check_unused_file();

CREATE TRIGGER audit_entry_no_change BEFORE UPDATE ON audit_entry FOR EACH STATEMENT EXECUTE FUNCTION audit_entry_guard();
CREATE TRIGGER audit_entry_no_delete BEFORE DELETE ON audit_entry FOR EACH ROW
  WHEN (coalesce(current_setting('weft.audit_retention', true), '') <> 'on') EXECUTE FUNCTION audit_entry_guard();
CREATE TRIGGER audit_entry_no_truncate BEFORE TRUNCATE ON audit_entry FOR EACH STATEMENT EXECUTE FUNCTION audit_entry_guard();
CREATE TRIGGER audit_entry_waits AFTER INSERT ON audit_entry REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION audit_entry_waits();

CREATE TRIGGER audit_block_no_change BEFORE UPDATE ON audit_block FOR EACH STATEMENT EXECUTE FUNCTION audit_entry_guard();
CREATE TRIGGER audit_block_no_delete BEFORE DELETE ON audit_block FOR EACH ROW
  WHEN (coalesce(current_setting('weft.audit_retention', true), '') <> 'on') EXECUTE FUNCTION audit_entry_guard();
CREATE TRIGGER audit_block_no_truncate BEFORE TRUNCATE ON audit_block FOR EACH STATEMENT EXECUTE FUNCTION audit_entry_guard();
