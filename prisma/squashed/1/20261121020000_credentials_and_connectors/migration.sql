-- CreateTable
CREATE TABLE "credential" (
    "id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "connector_id" TEXT,
    "status" TEXT NOT NULL,
    "config" JSON NOT NULL,
    "sealed" TEXT NOT NULL,
    "secret_fields" TEXT[],
    "version" INTEGER NOT NULL,
    "expires_at" TIMESTAMPTZ(3),
    "created_by" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "token_generation" INTEGER NOT NULL DEFAULT 0,
    "refreshing_until" TIMESTAMPTZ(3),

    CONSTRAINT "credential_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "oauth_attempt" (
    "id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "connector_id" TEXT NOT NULL,
    "verifier_hash" TEXT NOT NULL,
    "state_hash" TEXT NOT NULL,
    "redirect_uri" TEXT NOT NULL,
    "scopes" TEXT[],
    "params" JSON NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "claimed_until" TIMESTAMPTZ(3),
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "oauth_attempt_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "connector_registration" (
    "workspace_id" TEXT NOT NULL,
    "connector_id" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "sealed" TEXT NOT NULL,
    "addresses" JSON NOT NULL DEFAULT '{}',
    "updated_by" TEXT,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "connector_registration_pkey" PRIMARY KEY ("workspace_id","connector_id")
);

-- CreateIndex
CREATE INDEX "credential_workspace_id_created_at_id_idx" ON "credential"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "oauth_attempt_expires_at_idx" ON "oauth_attempt"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "oauth_attempt_workspace_id_verifier_hash_key" ON "oauth_attempt"("workspace_id", "verifier_hash");

-- CreateIndex
CREATE UNIQUE INDEX "oauth_attempt_workspace_id_state_hash_key" ON "oauth_attempt"("workspace_id", "state_hash");

-- AddForeignKey
ALTER TABLE "credential" ADD CONSTRAINT "credential_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "oauth_attempt" ADD CONSTRAINT "oauth_attempt_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "connector_registration" ADD CONSTRAINT "connector_registration_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE;
