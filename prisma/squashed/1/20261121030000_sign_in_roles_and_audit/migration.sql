-- AlterTable
ALTER TABLE "app_user" ADD COLUMN     "mfa_secret" TEXT,
ADD COLUMN     "mfa_used_steps" INTEGER[] DEFAULT ARRAY[]::INTEGER[];

-- AlterTable
ALTER TABLE "audit_entry" ADD COLUMN     "hash" TEXT,
ADD COLUMN     "position" BIGINT;

-- AlterTable
ALTER TABLE "session" ADD COLUMN     "method" TEXT NOT NULL DEFAULT 'password',
ADD COLUMN     "saml_subject" JSON,
ADD COLUMN     "sso_provider_id" TEXT,
ADD COLUMN     "workspace_id" TEXT;

-- CreateTable
CREATE TABLE "audit_chain" (
    "id" TEXT NOT NULL,
    "position" BIGINT NOT NULL,
    "hash" TEXT NOT NULL,
    "pruned_position" BIGINT NOT NULL DEFAULT 0,
    "pruned_hash" TEXT NOT NULL DEFAULT '',
    "seal" TEXT NOT NULL,

    CONSTRAINT "audit_chain_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "role" (
    "id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "inherits" TEXT[],
    "permissions" JSON NOT NULL,
    "lineage" TEXT[],
    "created_by" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "role_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "api_key" (
    "id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "hint" TEXT NOT NULL,
    "scopes" TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_key_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "backup_code" (
    "user_id" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "backup_code_pkey" PRIMARY KEY ("user_id","hash")
);

-- CreateTable
CREATE TABLE "login_throttle" (
    "key" TEXT NOT NULL,
    "failures" INTEGER NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,
    "blocks" INTEGER NOT NULL DEFAULT 0,
    "blocked_until" TIMESTAMPTZ(3),

    CONSTRAINT "login_throttle_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "sso_provider" (
    "id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "enabled" BOOLEAN NOT NULL,
    "domains" TEXT[],
    "default_role" TEXT NOT NULL,
    "config" JSON NOT NULL,
    "secrets" TEXT NOT NULL,
    "last_sign_in" JSON,
    "created_by" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "sso_provider_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sso_identity" (
    "provider_id" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "sso_identity_pkey" PRIMARY KEY ("provider_id","subject")
);

-- CreateTable
CREATE TABLE "sso_attempt" (
    "id" TEXT NOT NULL,
    "provider_id" TEXT NOT NULL,
    "browser_hash" TEXT NOT NULL,
    "facts" JSON NOT NULL,
    "return_to" TEXT NOT NULL,
    "response" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sso_attempt_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "saml_assertion" (
    "id" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "saml_assertion_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "role_workspace_id_name_key" ON "role"("workspace_id", "name");

-- CreateIndex
CREATE UNIQUE INDEX "api_key_hash_key" ON "api_key"("hash");

-- CreateIndex
CREATE INDEX "api_key_workspace_id_created_at_id_idx" ON "api_key"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "api_key_user_id_idx" ON "api_key"("user_id");

-- CreateIndex
CREATE INDEX "login_throttle_since_idx" ON "login_throttle"("since");

-- CreateIndex
CREATE INDEX "sso_provider_workspace_id_created_at_id_idx" ON "sso_provider"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "sso_identity_user_id_idx" ON "sso_identity"("user_id");

-- CreateIndex
CREATE INDEX "sso_attempt_expires_at_idx" ON "sso_attempt"("expires_at");

-- CreateIndex
CREATE INDEX "saml_assertion_expires_at_idx" ON "saml_assertion"("expires_at");

-- CreateIndex
CREATE INDEX "session_sso_provider_id_idx" ON "session"("sso_provider_id");

-- AddForeignKey
ALTER TABLE "role" ADD CONSTRAINT "role_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_key" ADD CONSTRAINT "api_key_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_key" ADD CONSTRAINT "api_key_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "app_user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "backup_code" ADD CONSTRAINT "backup_code_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "app_user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sso_provider" ADD CONSTRAINT "sso_provider_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sso_identity" ADD CONSTRAINT "sso_identity_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "app_user"("id") ON DELETE CASCADE ON UPDATE CASCADE;




-- What follows can't be said in the Prisma schema.

-- One role is held once in one place.
CREATE UNIQUE INDEX "role_assignment_once_idx" ON "role_assignment"("workspace_id", "user_id", "role_id", coalesce("resource_type", ''), coalesce("resource_id", ''));

-- Entries that wait for the sealer, and those that have their place.
CREATE INDEX "audit_entry_unsealed_idx" ON "audit_entry"("sequence") WHERE "position" IS NULL;
CREATE UNIQUE INDEX "audit_entry_position_idx" ON "audit_entry"(coalesce("workspace_id", 'service'), "position") WHERE "position" IS NOT NULL;

-- Append-only: an entry gets its place in the chain once, and goes only by retention, which says so.
CREATE FUNCTION "audit_entry_guard"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND OLD."position" IS NULL AND NEW."position" IS NOT NULL AND
    (NEW."id", NEW."sequence", NEW."timestamp", NEW."category", NEW."action", NEW."result")
      = (OLD."id", OLD."sequence", OLD."timestamp", OLD."category", OLD."action", OLD."result") AND
    NEW."workspace_id" IS NOT DISTINCT FROM OLD."workspace_id" AND
    NEW."actor"::text = OLD."actor"::text AND NEW."resource"::text = OLD."resource"::text AND
    NEW."metadata"::text = OLD."metadata"::text
  THEN
    RETURN NEW;
  ELSIF TG_OP = 'DELETE' AND OLD."position" IS NOT NULL AND current_setting('weft.audit_retention', true) = 'on' THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION 'the audit log is append-only';
END $$;
CREATE TRIGGER "audit_entry_guard" BEFORE UPDATE OR DELETE ON "audit_entry" FOR EACH ROW EXECUTE FUNCTION "audit_entry_guard"();
CREATE TRIGGER "audit_entry_no_truncate" BEFORE TRUNCATE ON "audit_entry" FOR EACH STATEMENT EXECUTE FUNCTION "audit_entry_guard"();
