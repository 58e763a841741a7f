-- A webhook that the service makes, or has made, at a provider. It outlives its webhook, its workflow and its workspace
-- until the provider has removed it.
CREATE TABLE "webhook_subscription" (
  "id" TEXT NOT NULL,
  "workspace_id" TEXT NOT NULL,
  "workflow_id" TEXT NOT NULL,
  "webhook_id" TEXT NOT NULL,
  "is_current" BOOLEAN NOT NULL DEFAULT true,
  "home" TEXT NOT NULL DEFAULT '',
  "url" TEXT NOT NULL,
  "connector_id" TEXT NOT NULL,
  "event" TEXT NOT NULL,
  "parameters" JSON NOT NULL,
  "credential_id" TEXT NOT NULL,
  "credential_version" INTEGER,
  "account" TEXT,
  "status" TEXT NOT NULL DEFAULT 'waiting',
  "may_exist" BOOLEAN NOT NULL DEFAULT false,
  "external_id" TEXT,
  "expires_at" TIMESTAMPTZ(3),
  "error_message" TEXT,
  "error_at" TIMESTAMPTZ(3),
  "failures" INTEGER NOT NULL DEFAULT 0,
  "next_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "removal_since" TIMESTAMPTZ(3),
  "kept_credential" JSON,
  "kept_sealed" TEXT,
  "lease_token" TEXT,
  "lease_until" TIMESTAMPTZ(3),
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "webhook_subscription_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "webhook_subscription_webhook_id_idx" ON "webhook_subscription"("webhook_id");
CREATE INDEX "webhook_subscription_credential_id_idx" ON "webhook_subscription"("credential_id");
CREATE UNIQUE INDEX "webhook_subscription_account_key" ON "webhook_subscription"("connector_id", "account") WHERE "may_exist";
CREATE UNIQUE INDEX "webhook_subscription_current_key" ON "webhook_subscription"("webhook_id") WHERE "is_current";

-- A credential that is deleted is kept, sealed as it was, by the subscriptions that have to be removed with it.
CREATE FUNCTION keep_credential_for_removal() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE webhook_subscription SET kept_sealed = OLD.sealed, kept_credential = json_build_object(
    'name', OLD.name, 'type', OLD.type, 'connectorId', OLD.connector_id, 'config', OLD.config,
    'expiresAt', OLD.expires_at, 'tokenGeneration', OLD.token_generation, 'version', OLD.version)
  WHERE credential_id = OLD.id AND may_exist;
  RETURN OLD;
END $$;
CREATE TRIGGER keep_credential_for_removal BEFORE DELETE ON credential
  FOR EACH ROW EXECUTE FUNCTION keep_credential_for_removal();
