-- What is drawn in the editor no longer has to be what webhooks and schedules run.
ALTER TABLE "workflow" ADD COLUMN "draft_version" INTEGER;

ALTER TABLE "workflow_version" ADD COLUMN "published_at" TIMESTAMPTZ(3);

UPDATE "workflow_version" v SET "published_at" = v."created_at"
FROM "workflow" w
WHERE w."id" = v."workflow_id" AND w."version" = v."version" AND w."status" <> 'draft';
