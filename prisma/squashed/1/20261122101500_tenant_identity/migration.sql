-- Memberships count for the whole account once the person has accepted them. Those that are there stay as they are.
ALTER TABLE "member" ADD COLUMN "accepted_at" TIMESTAMPTZ(3) DEFAULT CURRENT_TIMESTAMP;
UPDATE "member" SET "accepted_at" = "joined_at";

-- Accounts that a workspace's provider created leave their address free for the person who has it.
ALTER TABLE "app_user" ADD COLUMN "only_workspace_id" TEXT;
DROP INDEX "app_user_email_key";
CREATE UNIQUE INDEX "app_user_account_email_key" ON "app_user"("email") WHERE "only_workspace_id" IS NULL;
CREATE UNIQUE INDEX "app_user_only_workspace_id_email_key" ON "app_user"("only_workspace_id", "email");
ALTER TABLE "app_user" ADD CONSTRAINT "app_user_only_workspace_id_fkey" FOREIGN KEY ("only_workspace_id") REFERENCES "workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- API keys that were made in a session of a workspace's provider end with the provider.
ALTER TABLE "api_key" ADD COLUMN "sso_provider_id" TEXT;

-- Existing accounts without a password and without a proven address: nothing but a workspace's provider can have
-- created them. Those of one workspace become that workspace's; all their keys were made in its provider's sessions.
WITH "place" AS (
  SELECT "user_id", "workspace_id" FROM "member"
  UNION
  SELECT i."user_id", p."workspace_id" FROM "sso_identity" i JOIN "sso_provider" p ON p."id" = i."provider_id"
)
UPDATE "app_user" u SET "only_workspace_id" = one."workspace_id"
FROM (SELECT "user_id", min("workspace_id") AS "workspace_id" FROM "place" GROUP BY "user_id" HAVING count(*) = 1) one
WHERE u."id" = one."user_id" AND u."password_hash" IS NULL AND u."email_proven_at" IS NULL;

UPDATE "member" m SET "accepted_at" = NULL
FROM "app_user" u WHERE u."id" = m."user_id" AND u."only_workspace_id" IS NOT NULL;

UPDATE "api_key" k SET "sso_provider_id" = one."provider_id"
FROM "app_user" u
JOIN (
  SELECT "user_id", min("provider_id") AS "provider_id" FROM "sso_identity" GROUP BY "user_id" HAVING count(*) = 1
) one ON one."user_id" = u."id"
WHERE k."user_id" = u."id" AND u."only_workspace_id" IS NOT NULL;

-- Which domains of a provider count. What is configured today counts as confirmed by an owner; a service that is open
-- to everybody (DEPLOYMENT_ENV=saas) looks at DNS proofs only.
CREATE TABLE "domain_proof" (
    "provider_id" TEXT NOT NULL,
    "domain" TEXT NOT NULL,
    "method" TEXT NOT NULL,
    "verified_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "domain_proof_pkey" PRIMARY KEY ("provider_id","domain")
);
CREATE INDEX "domain_proof_domain_idx" ON "domain_proof"("domain");
ALTER TABLE "domain_proof" ADD CONSTRAINT "domain_proof_provider_id_fkey" FOREIGN KEY ("provider_id") REFERENCES "sso_provider"("id") ON DELETE CASCADE ON UPDATE CASCADE;
INSERT INTO "domain_proof" ("provider_id", "domain", "method")
SELECT DISTINCT p."id", d, 'owner' FROM "sso_provider" p, unnest(p."domains") AS d;

-- Which secrets of a credential were granted by the provider rather than entered: those with a known end.
ALTER TABLE "credential" ADD COLUMN "granted_fields" TEXT[] DEFAULT ARRAY[]::TEXT[];
UPDATE "credential" SET "granted_fields" = ARRAY(
  SELECT f FROM unnest("secret_fields") AS f WHERE f IN ('accessToken', 'refreshToken'))
WHERE "type" = 'oauth2' AND "expires_at" IS NOT NULL;
