-- AlterTable
ALTER TABLE "session" ADD COLUMN     "last_used_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;

-- AlterTable
ALTER TABLE "workspace" ADD COLUMN     "deleted_at" TIMESTAMPTZ(3);

-- Of sessions that are there, the latest tokens tell.
UPDATE "session" s SET "last_used_at" = coalesce(
  (SELECT max(t."created_at") FROM "refresh_token" t WHERE t."session_id" = s."id"), s."created_at");
