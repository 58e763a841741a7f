-- When a webhook at a provider is to be renewed, after 80 % of its life.
ALTER TABLE "webhook_subscription" ADD COLUMN "renews_at" TIMESTAMPTZ(3);
CREATE INDEX "webhook_subscription_workflow_id_idx" ON "webhook_subscription"("workflow_id");

-- Workers look for subscriptions when something changes that they depend on, whoever changes it.
CREATE FUNCTION notify_subscriptions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('weft_subscriptions', '');
  RETURN NULL;
END $$;
CREATE TRIGGER notify_subscriptions_made AFTER INSERT OR DELETE ON webhook_subscription
  FOR EACH STATEMENT EXECUTE FUNCTION notify_subscriptions();
-- A claim sets the lease, and is nothing that others have to know.
CREATE TRIGGER notify_subscriptions_changed AFTER UPDATE ON webhook_subscription
  FOR EACH ROW WHEN (NEW.lease_until IS NULL) EXECUTE FUNCTION notify_subscriptions();
CREATE TRIGGER notify_subscriptions_webhook_removed AFTER DELETE ON webhook
  FOR EACH STATEMENT EXECUTE FUNCTION notify_subscriptions();
CREATE TRIGGER notify_subscriptions_webhook AFTER UPDATE OF enabled ON webhook
  FOR EACH ROW WHEN (OLD.enabled IS DISTINCT FROM NEW.enabled) EXECUTE FUNCTION notify_subscriptions();
CREATE TRIGGER notify_subscriptions_workspace AFTER UPDATE OF deleted_at ON workspace
  FOR EACH ROW WHEN (OLD.deleted_at IS DISTINCT FROM NEW.deleted_at) EXECUTE FUNCTION notify_subscriptions();
CREATE TRIGGER notify_subscriptions_credential AFTER UPDATE OF version ON credential
  FOR EACH ROW WHEN (OLD.version IS DISTINCT FROM NEW.version) EXECUTE FUNCTION notify_subscriptions();

-- A subscription that the provider has refused is tried again when its workflow becomes active.
CREATE FUNCTION notify_workflow_subscriptions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.status = 'active' THEN
    UPDATE webhook_subscription SET status = 'waiting', failures = 0, next_at = now()
    WHERE workflow_id = NEW.id AND is_current AND status = 'failed' AND lease_until IS NULL;
  END IF;
  PERFORM pg_notify('weft_subscriptions', '');
  RETURN NULL;
END $$;
CREATE TRIGGER notify_subscriptions_workflow AFTER UPDATE OF status ON workflow
  FOR EACH ROW WHEN (OLD.status IS DISTINCT FROM NEW.status) EXECUTE FUNCTION notify_workflow_subscriptions();
