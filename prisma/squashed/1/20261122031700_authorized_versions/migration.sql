-- The person whose permissions decide which credentials and workflows a run of the version may use.
-- Null on versions from before: the creator of the version, else of the workflow, counts.
ALTER TABLE "workflow_version" ADD COLUMN "authorized_by" TEXT;

-- Workflows of people who have left by now keep running: with the permissions of the workspace's first owner.
UPDATE "workflow_version" v SET "authorized_by" = (
  SELECT a."user_id" FROM "role_assignment" a
  WHERE a."workspace_id" = w."workspace_id" AND a."role_id" = 'role_owner-000000000000000000' AND a."resource_type" IS NULL
  ORDER BY a."created_at", a."id" LIMIT 1
)
FROM "workflow" w
WHERE w."id" = v."workflow_id" AND coalesce(v."created_by", w."created_by") IS NOT NULL
  AND NOT EXISTS (
    SELECT FROM "member" m
    WHERE m."workspace_id" = w."workspace_id" AND m."user_id" = coalesce(v."created_by", w."created_by")
  );
