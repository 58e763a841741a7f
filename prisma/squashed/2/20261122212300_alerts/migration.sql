-- Alerts: what to tell whom, the events that happened, and the notices on their way.
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
    is_enabled boolean NOT NULL DEFAULT true,
    last_sent_at timestamp(3) with time zone,
    last_error text,
    created_by text,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    CONSTRAINT alert_pkey PRIMARY KEY (id)
);
CREATE INDEX alert_workspace_id_event_idx ON alert (workspace_id, event);
CREATE INDEX alert_workflow_id_idx ON alert (workflow_id);
ALTER TABLE alert
    ADD CONSTRAINT alert_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspace(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE alert
    ADD CONSTRAINT alert_workflow_id_fkey FOREIGN KEY (workflow_id) REFERENCES workflow(id) ON UPDATE CASCADE ON DELETE CASCADE;

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

-- When an alert was last sent for a workflow or credential.
CREATE TABLE alert_throttle (
    alert_id text NOT NULL,
    subject text NOT NULL,
    sent_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT alert_throttle_pkey PRIMARY KEY (alert_id, subject)
);
ALTER TABLE alert_throttle
    ADD CONSTRAINT alert_throttle_alert_id_fkey FOREIGN KEY (alert_id) REFERENCES alert(id) ON UPDATE CASCADE ON DELETE CASCADE;

CREATE TABLE alert_notice (
    id text NOT NULL,
    alert_id text NOT NULL,
    body json NOT NULL,
    due_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    tries integer NOT NULL DEFAULT 0,
    CONSTRAINT alert_notice_pkey PRIMARY KEY (id)
);
CREATE INDEX alert_notice_due_at_idx ON alert_notice (due_at);
CREATE INDEX alert_notice_alert_id_idx ON alert_notice (alert_id);
ALTER TABLE alert_notice
    ADD CONSTRAINT alert_notice_alert_id_fkey FOREIGN KEY (alert_id) REFERENCES alert(id) ON UPDATE CASCADE ON DELETE CASCADE;

-- Whether the latest run of a workflow failed; kept where alerts ask for it.
CREATE TABLE workflow_health (
    workflow_id text NOT NULL,
    is_failing boolean NOT NULL,
    ended_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT workflow_health_pkey PRIMARY KEY (workflow_id)
);
ALTER TABLE workflow_health
    ADD CONSTRAINT workflow_health_workflow_id_fkey FOREIGN KEY (workflow_id) REFERENCES workflow(id) ON UPDATE CASCADE ON DELETE CASCADE;

CREATE OR REPLACE FUNCTION is_followed(run_status text, run_trigger text, run_error json, of_workspace text, workflow_settings jsonb, workspace_settings jsonb)
    RETURNS boolean
    LANGUAGE sql STABLE
    AS $$
  SELECT run_error->>'code' IS DISTINCT FROM 'CANCELLED' AND (
    (run_status = 'failed' AND run_trigger <> 'error'
      AND coalesce(workflow_settings->>'errorWorkflowId', workspace_settings->>'errorWorkflowId') IS NOT NULL)
    OR EXISTS (SELECT FROM alert l WHERE l.workspace_id = of_workspace AND l.is_enabled
      AND (l.event IN ('first_failure', 'run_recovered') OR (l.event = 'run_failed' AND run_status = 'failed'))))
$$;

CREATE FUNCTION tell_credential_expired() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  INSERT INTO alert_event (event, workspace_id, credential_id) SELECT 'credential_expired', NEW.workspace_id, NEW.id
  WHERE EXISTS (SELECT FROM alert WHERE workspace_id = NEW.workspace_id AND event = 'credential_expired' AND is_enabled);
  RETURN NULL;
END $$;
CREATE TRIGGER credential_expired AFTER UPDATE ON credential FOR EACH ROW
  WHEN (NEW.status = 'expired' AND OLD.status <> 'expired') EXECUTE FUNCTION tell_credential_expired();
