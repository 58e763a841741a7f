-- The schema as 31 earlier migrations left it; they are kept in prisma/squashed for databases that ran some of them.
SET LOCAL check_function_bodies = false;

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
  UPDATE execution e SET queued_at = NULL, available_at = now()
  FROM candidate c WHERE e.id = c.id AND (room IS NULL OR c.place <= room);
  GET DIAGNOSTICS admitted = ROW_COUNT;
  IF admitted > 0 THEN
    PERFORM pg_notify('weft_work', '');
  END IF;
  RETURN admitted;
END $$;

CREATE FUNCTION audit_entry_guard() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  RAISE EXCEPTION 'the audit log is append-only';
END $$;

CREATE FUNCTION audit_entry_waits() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  INSERT INTO "audit_waiting" SELECT "sequence" FROM "fresh";
  RETURN NULL;
END $$;

CREATE FUNCTION limit_runs() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
  of_workspace text;
BEGIN
  FOR of_workspace IN
    SELECT DISTINCT a.workspace_id FROM added a JOIN workflow w ON w.id = a.workflow_id JOIN workspace s ON s.id = a.workspace_id
    WHERE a.worker_id IS NULL AND (w.concurrency_limit IS NOT NULL OR s.concurrency_limit IS NOT NULL) ORDER BY a.workspace_id
  LOOP
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

CREATE FUNCTION tally_ended() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  INSERT INTO execution_tally (scope, trigger, status, hour, count)
  SELECT s.scope, after.trigger, after.status, s.hour, count(*)
  FROM after JOIN before USING (id)
  CROSS JOIN LATERAL (VALUES (after.workspace_id, date_trunc('hour', after.created_at, 'UTC')), (after.workflow_id, 'epoch')) s(scope, hour)
  WHERE after.completed_at IS NOT NULL AND before.completed_at IS NULL
  GROUP BY 1, 2, 3, 4;
  RETURN NULL;
END $$;

CREATE FUNCTION tally_removed() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  INSERT INTO execution_tally (scope, trigger, status, hour, count)
  SELECT s.scope, before.trigger, before.status, s.hour, -count(*)
  FROM before, tally_scopes(before) s
  WHERE before.completed_at IS NOT NULL
  GROUP BY 1, 2, 3, 4;
  RETURN NULL;
END $$;

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
    root_id text
)
WITH (autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_threshold='500', autovacuum_vacuum_insert_scale_factor='0.1', autovacuum_analyze_scale_factor='0.05', fillfactor='45');

CREATE FUNCTION tally_scopes(e execution) RETURNS TABLE(scope text, hour timestamp with time zone)
    LANGUAGE sql
    AS $$
  VALUES (e.workspace_id, date_trunc('hour', e.created_at, 'UTC')), (e.workflow_id, 'epoch');
$$;

CREATE FUNCTION tally_stored() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  INSERT INTO execution_tally (scope, trigger, status, hour, count)
  SELECT s.scope, after.trigger, after.status, s.hour, count(*)
  FROM after
  CROSS JOIN LATERAL (VALUES (after.workspace_id, date_trunc('hour', after.created_at, 'UTC')), (after.workflow_id, 'epoch')) s(scope, hour)
  WHERE after.completed_at IS NOT NULL
  GROUP BY 1, 2, 3, 4;
  RETURN NULL;
END $$;

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
    sso_provider_id text
);

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
    is_mail_trusted boolean DEFAULT false NOT NULL
);

CREATE TABLE audit_block (
    chain text NOT NULL,
    first_position bigint NOT NULL,
    sequences bigint[],
    hashes bytea NOT NULL
);
ALTER TABLE ONLY audit_block ALTER COLUMN hashes SET STORAGE EXTERNAL;

CREATE TABLE audit_chain (
    id text NOT NULL,
    "position" bigint NOT NULL,
    hash text NOT NULL,
    pruned_position bigint DEFAULT 0 NOT NULL,
    pruned_hash text DEFAULT ''::text NOT NULL,
    seal text NOT NULL
);

CREATE TABLE audit_entry (
    id text NOT NULL,
    sequence bigint NOT NULL,
    workspace_id text,
    "timestamp" timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    category text NOT NULL,
    action text NOT NULL,
    result text NOT NULL,
    actor json NOT NULL,
    resource json NOT NULL,
    metadata json NOT NULL
);

CREATE SEQUENCE audit_entry_sequence_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE audit_entry_sequence_seq OWNED BY audit_entry.sequence;

CREATE TABLE audit_waiting (
    sequence bigint NOT NULL
);

CREATE TABLE backup_code (
    user_id text NOT NULL,
    hash text NOT NULL,
    used_at timestamp(3) with time zone
);

CREATE TABLE connector_registration (
    workspace_id text NOT NULL,
    connector_id text NOT NULL,
    client_id text NOT NULL,
    sealed text NOT NULL,
    addresses json DEFAULT '{}'::json NOT NULL,
    updated_by text,
    updated_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL
);

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
    granted_fields text[] DEFAULT ARRAY[]::text[]
);

CREATE TABLE daily_use (
    scope text NOT NULL,
    day date NOT NULL,
    count integer NOT NULL
);

CREATE TABLE decision (
    execution_id text NOT NULL,
    node_id text NOT NULL,
    decision text NOT NULL,
    comment text,
    decided_by text NOT NULL,
    decided_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL
);

CREATE TABLE domain_proof (
    provider_id text NOT NULL,
    domain text NOT NULL,
    method text NOT NULL,
    verified_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL
);

CREATE TABLE execution_tally (
    id bigint NOT NULL,
    scope text NOT NULL,
    trigger text NOT NULL,
    status text NOT NULL,
    hour timestamp(3) with time zone NOT NULL,
    count integer NOT NULL,
    is_sum boolean DEFAULT false NOT NULL
);

CREATE SEQUENCE execution_tally_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE execution_tally_id_seq OWNED BY execution_tally.id;

CREATE TABLE invitation (
    id text NOT NULL,
    workspace_id text NOT NULL,
    email text NOT NULL,
    role_id text NOT NULL,
    token_hash text NOT NULL,
    invited_by text,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE log_entry (
    id bigint NOT NULL,
    execution_id text NOT NULL,
    node_id text,
    level text NOT NULL,
    message text NOT NULL,
    "timestamp" timestamp(3) with time zone NOT NULL
);

CREATE SEQUENCE log_entry_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE log_entry_id_seq OWNED BY log_entry.id;

CREATE TABLE login_throttle (
    key text NOT NULL,
    failures integer NOT NULL,
    since timestamp(3) with time zone NOT NULL,
    blocks integer DEFAULT 0 NOT NULL,
    blocked_until timestamp(3) with time zone
);

CREATE TABLE member (
    workspace_id text NOT NULL,
    user_id text NOT NULL,
    joined_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    accepted_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP
);

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
    tries json
)
WITH (fillfactor='70', autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_threshold='500', autovacuum_vacuum_insert_scale_factor='0.1', autovacuum_analyze_scale_factor='0.05');

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
    used_at timestamp(3) with time zone
);

CREATE TABLE outbox_mail (
    id text NOT NULL,
    workspace_id text,
    "from" text NOT NULL,
    "to" text[],
    subject text NOT NULL,
    text text,
    html text,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL
);

CREATE UNLOGGED TABLE rate_bucket (
    name text NOT NULL,
    tokens double precision NOT NULL,
    updated_at timestamp(6) with time zone NOT NULL,
    revision bigint NOT NULL,
    leased double precision NOT NULL,
    leased_until timestamp(6) with time zone NOT NULL
);

CREATE TABLE refresh_token (
    hash text NOT NULL,
    session_id text NOT NULL,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    used_at timestamp(3) with time zone
);

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
    updated_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL
);

CREATE TABLE role_assignment (
    id text NOT NULL,
    workspace_id text NOT NULL,
    user_id text NOT NULL,
    role_id text NOT NULL,
    resource_type text,
    resource_id text,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL
);

CREATE TABLE run_family (
    root_id text NOT NULL,
    descendants integer NOT NULL
);

CREATE TABLE saml_assertion (
    id text NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL
);

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
    updated_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL
);

CREATE TABLE session (
    id text NOT NULL,
    user_id text NOT NULL,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL,
    ended_at timestamp(3) with time zone,
    ip_address text NOT NULL,
    user_agent text NOT NULL,
    method text DEFAULT 'password'::text NOT NULL,
    saml_subject json,
    sso_provider_id text,
    workspace_id text,
    factor_at timestamp(3) with time zone,
    last_used_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL
);

CREATE TABLE sso_attempt (
    id text NOT NULL,
    provider_id text NOT NULL,
    browser_hash text NOT NULL,
    return_to text NOT NULL,
    response text NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE sso_identity (
    provider_id text NOT NULL,
    subject text NOT NULL,
    user_id text NOT NULL,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL
);

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
    updated_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL
);

CREATE TABLE stored_reply (
    scope text NOT NULL,
    body_hash text NOT NULL,
    reply text NOT NULL,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL
);

CREATE UNLOGGED TABLE visit (
    id text NOT NULL,
    workflow_id text NOT NULL,
    user_id text NOT NULL,
    since timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    until timestamp(3) with time zone NOT NULL
);

CREATE TABLE webhook (
    id text NOT NULL,
    workflow_id text NOT NULL,
    path text NOT NULL,
    secret text NOT NULL,
    created_by text,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    old_secret text,
    old_secret_until timestamp(3) with time zone
);

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
    replay_of text
);

CREATE TABLE worker (
    id text NOT NULL,
    started_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    lease_until timestamp(3) with time zone NOT NULL
)
WITH (fillfactor='50', autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='100');

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
    concurrency_overflow text DEFAULT 'queue'::text NOT NULL,
    draft_version integer
);

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
    authorized_by text
);

CREATE TABLE workspace (
    id text NOT NULL,
    name text NOT NULL,
    slug text NOT NULL,
    tier text NOT NULL,
    settings jsonb DEFAULT '{}'::jsonb NOT NULL,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL,
    concurrency_limit integer,
    concurrency_overflow text DEFAULT 'queue'::text NOT NULL,
    deleted_at timestamp(3) with time zone
);

ALTER TABLE ONLY audit_entry ALTER COLUMN sequence SET DEFAULT nextval('audit_entry_sequence_seq'::regclass);

ALTER TABLE ONLY execution_tally ALTER COLUMN id SET DEFAULT nextval('execution_tally_id_seq'::regclass);

ALTER TABLE ONLY log_entry ALTER COLUMN id SET DEFAULT nextval('log_entry_id_seq'::regclass);

ALTER TABLE ONLY api_key
    ADD CONSTRAINT api_key_pkey PRIMARY KEY (id);

ALTER TABLE ONLY app_user
    ADD CONSTRAINT app_user_pkey PRIMARY KEY (id);

ALTER TABLE ONLY audit_block
    ADD CONSTRAINT audit_block_pkey PRIMARY KEY (chain, first_position);

ALTER TABLE ONLY audit_chain
    ADD CONSTRAINT audit_chain_pkey PRIMARY KEY (id);

ALTER TABLE ONLY audit_entry
    ADD CONSTRAINT audit_entry_pkey PRIMARY KEY (id);

ALTER TABLE ONLY audit_waiting
    ADD CONSTRAINT audit_waiting_pkey PRIMARY KEY (sequence);

ALTER TABLE ONLY backup_code
    ADD CONSTRAINT backup_code_pkey PRIMARY KEY (user_id, hash);

ALTER TABLE ONLY connector_registration
    ADD CONSTRAINT connector_registration_pkey PRIMARY KEY (workspace_id, connector_id);

ALTER TABLE ONLY credential
    ADD CONSTRAINT credential_pkey PRIMARY KEY (id);

ALTER TABLE ONLY daily_use
    ADD CONSTRAINT daily_use_pkey PRIMARY KEY (scope);

ALTER TABLE ONLY decision
    ADD CONSTRAINT decision_pkey PRIMARY KEY (execution_id, node_id);

ALTER TABLE ONLY domain_proof
    ADD CONSTRAINT domain_proof_pkey PRIMARY KEY (provider_id, domain);

ALTER TABLE ONLY execution
    ADD CONSTRAINT execution_pkey PRIMARY KEY (id);

ALTER TABLE ONLY execution_tally
    ADD CONSTRAINT execution_tally_pkey PRIMARY KEY (id);

ALTER TABLE ONLY invitation
    ADD CONSTRAINT invitation_pkey PRIMARY KEY (id);

ALTER TABLE ONLY log_entry
    ADD CONSTRAINT log_entry_pkey PRIMARY KEY (id);

ALTER TABLE ONLY login_throttle
    ADD CONSTRAINT login_throttle_pkey PRIMARY KEY (key);

ALTER TABLE ONLY member
    ADD CONSTRAINT member_pkey PRIMARY KEY (workspace_id, user_id);

ALTER TABLE ONLY node_result
    ADD CONSTRAINT node_result_pkey PRIMARY KEY (execution_id, node_id);

ALTER TABLE ONLY oauth_attempt
    ADD CONSTRAINT oauth_attempt_pkey PRIMARY KEY (id);

ALTER TABLE ONLY outbox_mail
    ADD CONSTRAINT outbox_mail_pkey PRIMARY KEY (id);

ALTER TABLE ONLY rate_bucket
    ADD CONSTRAINT rate_bucket_pkey PRIMARY KEY (name);

ALTER TABLE ONLY refresh_token
    ADD CONSTRAINT refresh_token_pkey PRIMARY KEY (hash);

ALTER TABLE ONLY role_assignment
    ADD CONSTRAINT role_assignment_pkey PRIMARY KEY (id);

ALTER TABLE ONLY role
    ADD CONSTRAINT role_pkey PRIMARY KEY (id);

ALTER TABLE ONLY run_family
    ADD CONSTRAINT run_family_pkey PRIMARY KEY (root_id);

ALTER TABLE ONLY saml_assertion
    ADD CONSTRAINT saml_assertion_pkey PRIMARY KEY (id);

ALTER TABLE ONLY schedule
    ADD CONSTRAINT schedule_pkey PRIMARY KEY (id);

ALTER TABLE ONLY session
    ADD CONSTRAINT session_pkey PRIMARY KEY (id);

ALTER TABLE ONLY sso_attempt
    ADD CONSTRAINT sso_attempt_pkey PRIMARY KEY (id);

ALTER TABLE ONLY sso_identity
    ADD CONSTRAINT sso_identity_pkey PRIMARY KEY (provider_id, subject);

ALTER TABLE ONLY sso_provider
    ADD CONSTRAINT sso_provider_pkey PRIMARY KEY (id);

ALTER TABLE ONLY stored_reply
    ADD CONSTRAINT stored_reply_pkey PRIMARY KEY (scope);

ALTER TABLE ONLY visit
    ADD CONSTRAINT visit_pkey PRIMARY KEY (id);

ALTER TABLE ONLY webhook_delivery
    ADD CONSTRAINT webhook_delivery_pkey PRIMARY KEY (id);

ALTER TABLE ONLY webhook
    ADD CONSTRAINT webhook_pkey PRIMARY KEY (id);

ALTER TABLE ONLY worker
    ADD CONSTRAINT worker_pkey PRIMARY KEY (id);

ALTER TABLE ONLY workflow
    ADD CONSTRAINT workflow_pkey PRIMARY KEY (id);

ALTER TABLE ONLY workflow_version
    ADD CONSTRAINT workflow_version_pkey PRIMARY KEY (id);

ALTER TABLE ONLY workspace
    ADD CONSTRAINT workspace_pkey PRIMARY KEY (id);

CREATE UNIQUE INDEX api_key_hash_key ON api_key USING btree (hash);

CREATE INDEX api_key_user_id_idx ON api_key USING btree (user_id);

CREATE INDEX api_key_workspace_id_created_at_id_idx ON api_key USING btree (workspace_id, created_at DESC, id DESC);

CREATE UNIQUE INDEX app_user_account_email_key ON app_user USING btree (email) WHERE (only_workspace_id IS NULL);

CREATE UNIQUE INDEX app_user_only_workspace_id_email_key ON app_user USING btree (only_workspace_id, email);

CREATE UNIQUE INDEX audit_entry_sequence_key ON audit_entry USING btree (sequence);

CREATE INDEX audit_entry_workspace_id_timestamp_sequence_idx ON audit_entry USING btree (workspace_id, "timestamp" DESC, sequence DESC);

CREATE INDEX credential_workspace_id_created_at_id_idx ON credential USING btree (workspace_id, created_at DESC, id DESC);

CREATE INDEX domain_proof_domain_idx ON domain_proof USING btree (domain);

CREATE INDEX execution_alone_idx ON execution USING btree (workspace_id, available_at) WHERE ((worker_id IS NULL) AND (available_at IS NOT NULL) AND is_alone);

CREATE INDEX execution_awaited_idx ON execution USING btree (parent_id) WHERE (is_awaited AND (status <> ALL (ARRAY['completed'::text, 'failed'::text])));

CREATE UNIQUE INDEX execution_child_key ON execution USING btree (parent_id, parent_node, parent_attempt) WHERE (parent_id IS NOT NULL);

CREATE INDEX execution_died_at_idx ON execution USING btree (died_at) WHERE (died_at IS NOT NULL);

CREATE INDEX execution_failed_idx ON execution USING btree (workspace_id, created_at DESC, id DESC) WHERE (status = 'failed'::text);

CREATE INDEX execution_limited_idx ON execution USING btree (workspace_id, workflow_id) WHERE (is_limited AND (queued_at IS NULL) AND (status <> ALL (ARRAY['completed'::text, 'failed'::text])));

CREATE INDEX execution_live_idx ON execution USING btree (workspace_id, created_at DESC, id DESC) WHERE (completed_at IS NULL);

CREATE INDEX execution_queue_idx ON execution USING btree (workspace_id, available_at) WHERE ((worker_id IS NULL) AND (available_at IS NOT NULL));

CREATE INDEX execution_queued_idx ON execution USING btree (workspace_id, workflow_id, queued_at, id) WHERE ((queued_at IS NOT NULL) AND (status = 'pending'::text));

CREATE INDEX execution_tally_change_idx ON execution_tally USING btree (id) WHERE (NOT is_sum);

CREATE INDEX execution_tally_scope_trigger_status_hour_count_idx ON execution_tally USING btree (scope, trigger, status, hour, count);

CREATE UNIQUE INDEX execution_tally_sum_key ON execution_tally USING btree (scope, trigger, status, hour) WHERE is_sum;

CREATE INDEX execution_worker_id_idx ON execution USING btree (worker_id) WHERE (worker_id IS NOT NULL);

CREATE INDEX execution_workflow_id_created_at_id_idx ON execution USING btree (workflow_id, created_at DESC, id DESC);

CREATE INDEX execution_workspace_id_created_at_id_idx ON execution USING btree (workspace_id, created_at DESC, id DESC);

CREATE INDEX execution_workspace_id_trigger_created_at_id_idx ON execution USING btree (workspace_id, trigger, created_at DESC, id DESC);

CREATE UNIQUE INDEX invitation_token_hash_key ON invitation USING btree (token_hash);

CREATE UNIQUE INDEX invitation_workspace_id_email_key ON invitation USING btree (workspace_id, email);

CREATE INDEX log_entry_execution_id_id_idx ON log_entry USING btree (execution_id, id);

CREATE INDEX login_throttle_since_idx ON login_throttle USING btree (since);

CREATE INDEX member_user_id_idx ON member USING btree (user_id);

CREATE INDEX node_result_child_idx ON node_result USING btree (((held ->> 'childId'::text))) WHERE ((status = 'running'::text) AND ((held ->> 'childId'::text) IS NOT NULL));

CREATE INDEX oauth_attempt_expires_at_idx ON oauth_attempt USING btree (expires_at);

CREATE UNIQUE INDEX oauth_attempt_workspace_id_state_hash_key ON oauth_attempt USING btree (workspace_id, state_hash);

CREATE UNIQUE INDEX oauth_attempt_workspace_id_verifier_hash_key ON oauth_attempt USING btree (workspace_id, verifier_hash);

CREATE INDEX outbox_mail_workspace_id_created_at_idx ON outbox_mail USING btree (workspace_id, created_at DESC);

CREATE INDEX refresh_token_session_id_idx ON refresh_token USING btree (session_id);

CREATE UNIQUE INDEX role_assignment_once_idx ON role_assignment USING btree (workspace_id, user_id, role_id, COALESCE(resource_type, ''::text), COALESCE(resource_id, ''::text));

CREATE INDEX role_assignment_workspace_id_user_id_idx ON role_assignment USING btree (workspace_id, user_id);

CREATE UNIQUE INDEX role_workspace_id_name_key ON role USING btree (workspace_id, name);

CREATE INDEX saml_assertion_expires_at_idx ON saml_assertion USING btree (expires_at);

CREATE INDEX schedule_enabled_next_run_at_idx ON schedule USING btree (enabled, next_run_at);

CREATE INDEX schedule_workflow_id_idx ON schedule USING btree (workflow_id);

CREATE INDEX session_sso_provider_id_idx ON session USING btree (sso_provider_id);

CREATE INDEX session_user_id_idx ON session USING btree (user_id);

CREATE INDEX sso_attempt_expires_at_idx ON sso_attempt USING btree (expires_at);

CREATE INDEX sso_identity_user_id_idx ON sso_identity USING btree (user_id);

CREATE INDEX sso_provider_workspace_id_created_at_id_idx ON sso_provider USING btree (workspace_id, created_at DESC, id DESC);

CREATE INDEX stored_reply_created_at_idx ON stored_reply USING btree (created_at);

CREATE INDEX visit_user_id_idx ON visit USING btree (user_id);

CREATE INDEX visit_workflow_id_idx ON visit USING btree (workflow_id);

CREATE INDEX webhook_delivery_received_at_idx ON webhook_delivery USING btree (received_at);

CREATE INDEX webhook_delivery_surplus_idx ON webhook_delivery USING btree (webhook_id, received_at DESC, id DESC) WHERE (verdict <> 'accepted'::text);

CREATE INDEX webhook_delivery_webhook_id_received_at_id_idx ON webhook_delivery USING btree (webhook_id, received_at DESC, id DESC);

CREATE UNIQUE INDEX webhook_delivery_webhook_id_unique_id_key ON webhook_delivery USING btree (webhook_id, unique_id);

CREATE UNIQUE INDEX webhook_workflow_id_path_key ON webhook USING btree (workflow_id, path);

CREATE UNIQUE INDEX workflow_version_workflow_id_version_key ON workflow_version USING btree (workflow_id, version);

CREATE INDEX workflow_workspace_id_created_at_id_idx ON workflow USING btree (workspace_id, created_at DESC, id DESC);

CREATE UNIQUE INDEX workspace_slug_key ON workspace USING btree (slug);

CREATE TRIGGER audit_block_no_change BEFORE UPDATE ON audit_block FOR EACH STATEMENT EXECUTE FUNCTION audit_entry_guard();

CREATE TRIGGER audit_block_no_delete BEFORE DELETE ON audit_block FOR EACH ROW WHEN ((COALESCE(current_setting('weft.audit_retention'::text, true), ''::text) <> 'on'::text)) EXECUTE FUNCTION audit_entry_guard();

CREATE TRIGGER audit_block_no_truncate BEFORE TRUNCATE ON audit_block FOR EACH STATEMENT EXECUTE FUNCTION audit_entry_guard();

CREATE TRIGGER audit_entry_no_change BEFORE UPDATE ON audit_entry FOR EACH STATEMENT EXECUTE FUNCTION audit_entry_guard();

CREATE TRIGGER audit_entry_no_delete BEFORE DELETE ON audit_entry FOR EACH ROW WHEN ((COALESCE(current_setting('weft.audit_retention'::text, true), ''::text) <> 'on'::text)) EXECUTE FUNCTION audit_entry_guard();

CREATE TRIGGER audit_entry_no_truncate BEFORE TRUNCATE ON audit_entry FOR EACH STATEMENT EXECUTE FUNCTION audit_entry_guard();

CREATE TRIGGER audit_entry_waits AFTER INSERT ON audit_entry REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION audit_entry_waits();

CREATE TRIGGER execution_ended AFTER UPDATE ON execution REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION tally_ended();

CREATE TRIGGER execution_limit AFTER INSERT ON execution REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION limit_runs();

CREATE TRIGGER execution_removed AFTER DELETE ON execution REFERENCING OLD TABLE AS before FOR EACH STATEMENT EXECUTE FUNCTION tally_removed();

CREATE TRIGGER execution_stored_ended AFTER INSERT ON execution REFERENCING NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION tally_stored();

ALTER TABLE ONLY api_key
    ADD CONSTRAINT api_key_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY api_key
    ADD CONSTRAINT api_key_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspace(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY app_user
    ADD CONSTRAINT app_user_only_workspace_id_fkey FOREIGN KEY (only_workspace_id) REFERENCES workspace(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY backup_code
    ADD CONSTRAINT backup_code_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY connector_registration
    ADD CONSTRAINT connector_registration_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspace(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY credential
    ADD CONSTRAINT credential_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspace(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY decision
    ADD CONSTRAINT decision_execution_id_fkey FOREIGN KEY (execution_id) REFERENCES execution(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY domain_proof
    ADD CONSTRAINT domain_proof_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES sso_provider(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY execution
    ADD CONSTRAINT execution_workflow_id_fkey FOREIGN KEY (workflow_id) REFERENCES workflow(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY invitation
    ADD CONSTRAINT invitation_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspace(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY log_entry
    ADD CONSTRAINT log_entry_execution_id_fkey FOREIGN KEY (execution_id) REFERENCES execution(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY member
    ADD CONSTRAINT member_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY member
    ADD CONSTRAINT member_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspace(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY node_result
    ADD CONSTRAINT node_result_execution_id_fkey FOREIGN KEY (execution_id) REFERENCES execution(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY oauth_attempt
    ADD CONSTRAINT oauth_attempt_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspace(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY refresh_token
    ADD CONSTRAINT refresh_token_session_id_fkey FOREIGN KEY (session_id) REFERENCES session(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY role_assignment
    ADD CONSTRAINT role_assignment_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY role_assignment
    ADD CONSTRAINT role_assignment_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspace(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY role
    ADD CONSTRAINT role_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspace(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY run_family
    ADD CONSTRAINT run_family_root_id_fkey FOREIGN KEY (root_id) REFERENCES execution(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY schedule
    ADD CONSTRAINT schedule_workflow_id_fkey FOREIGN KEY (workflow_id) REFERENCES workflow(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY session
    ADD CONSTRAINT session_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY sso_identity
    ADD CONSTRAINT sso_identity_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY sso_provider
    ADD CONSTRAINT sso_provider_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspace(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY visit
    ADD CONSTRAINT visit_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY visit
    ADD CONSTRAINT visit_workflow_id_fkey FOREIGN KEY (workflow_id) REFERENCES workflow(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY webhook_delivery
    ADD CONSTRAINT webhook_delivery_webhook_id_fkey FOREIGN KEY (webhook_id) REFERENCES webhook(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY webhook
    ADD CONSTRAINT webhook_workflow_id_fkey FOREIGN KEY (workflow_id) REFERENCES workflow(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY workflow_version
    ADD CONSTRAINT workflow_version_workflow_id_fkey FOREIGN KEY (workflow_id) REFERENCES workflow(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY workflow
    ADD CONSTRAINT workflow_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspace(id) ON UPDATE CASCADE ON DELETE CASCADE;
